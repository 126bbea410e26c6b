import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Endpoints } from '../endpoints.ts';
import { Mistake } from '../mistake.ts';
import { functionName, identify } from '../template/identity.ts';
import type { Properties } from '../template/kinds.ts';
import type { Resource } from '../template/resolver.ts';
import type { Launch } from './worker.ts';

export type Deployed = { entry: string; reserved: number; launch: Omit<Launch, 'log' | 'patience'> };

const ENTRY = 'letterflow:entry';

/**
 * Whether a resource is a function of the product: those name their source file. Functions that CDK adds for a deployment do
 * not run here.
 */
export const isOurs = ({ type, metadata }: Resource) =>
  type === 'AWS::Lambda::Function' && typeof metadata[ENTRY] === 'string';

export function deploy(
  resource: Resource,
  properties: Properties<'AWS::Lambda::Function'>,
  here: Here,
  endpoints: Endpoints,
): Deployed {
  const name = functionName(resource);
  const [module = '', exported = ''] = properties.Handler.split('.');
  return {
    entry: String(resource.metadata[ENTRY]),
    reserved: properties.ReservedConcurrentExecutions ?? Number.POSITIVE_INFINITY,
    launch: {
      file: fileOf(resource, module),
      exported,
      name,
      arn: identify(resource, 'Arn', String),
      timeoutSeconds: properties.Timeout ?? 3,
      environment: {
        ...standardEnvironment(resource, properties),
        ...properties.Environment.Variables,
        ...hereEnvironment(name, properties.Environment.Variables, here, endpoints),
      },
    },
  };
}

function fileOf({ id, stack, metadata }: Resource, module: string): string {
  const file = resolve(stack.directory, String(metadata['aws:asset:path']), `${module}.mjs`);
  if (existsSync(file)) return file;
  throw new Mistake(`The code of ${id} (${stack.name}) is not in the assembly: there is no ${file}.`);
}

// https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
function standardEnvironment(
  resource: Resource,
  { MemorySize = 128, Handler, LoggingConfig }: Properties<'AWS::Lambda::Function'>,
): Record<string, string> {
  const { region } = resource.stack;
  return {
    PATH: process.env.PATH ?? '',
    TZ: ':UTC',
    LANG: 'en_US.UTF-8',
    _HANDLER: Handler,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    ...CREDENTIALS,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: functionName(resource),
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MemorySize),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${functionName(resource)}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    AWS_LAMBDA_LOG_FORMAT: LoggingConfig.LogFormat,
    AWS_LAMBDA_LOG_LEVEL: LoggingConfig.ApplicationLogLevel,
  };
}

export const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };

/** What differs from the template: no email leaves this machine, and links lead to it. */
export type Here = { publicUrl: string; webhookLoopback: boolean };

const hereEnvironment = (
  caller: string,
  variables: Record<string, string>,
  { publicUrl, webhookLoopback }: Here,
  endpoints: Endpoints,
) =>
  Object.fromEntries(
    Object.entries({
      ...endpoints.environmentOf(caller),
      PUBLIC_URL: publicUrl,
      WEBHOOK_LOOPBACK: webhookLoopback ? '1' : '0',
    }).filter(([variable]) => variable.startsWith('AWS_') || variable in variables),
  );
