import { CfnParameter, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  HttpApi,
  type HttpMethod,
  HttpRoute,
  HttpRouteKey,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { FunctionOptions } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { RouteTable } from '../../shared/route.ts';
import { type Group, groups } from '../../shared/routes.ts';
import { acknowledge } from '../constructs/acknowledge.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { HOME_REGION, type Stage } from '../stages.ts';
import type { DataStack } from './data.ts';

type Access = (fn: ServiceFunction, data: DataStack) => unknown;

const accessesTable: Access = (fn, { table }) => fn.writes(table);

/** What a group accesses, where that is not the table alone. */
const ACCESS: Partial<Record<Group, Access>> = {
  login: (fn, { table, mail, mailFrom }) => fn.writes(table).sendsMailAs(mail, mailFrom),
  organization: (fn, { table, objects }) => fn.writes(table).putsFiles(objects),
  member: (fn, { table, mail, mailFrom }) => fn.writes(table).sendsMailAs(mail, mailFrom),
  list: (fn, { table, objects, sendingKeys }) =>
    fn.writes(table).putsFiles(objects).encryptsWith(sendingKeys).callsMailgun(),
  'list-member': (fn, { table }) => fn.writes(table).queriesIndex(table),
  automation: (fn, { table, sendingKeys }) =>
    fn.writes(table).queriesIndex(table).encryptsWith(sendingKeys).callsMailgun(),
  openapi: () => {},
};

/** Settings of a group that differ from the defaults. The gateway and CloudFront wait for 30 seconds. */
const NEEDS: Partial<Record<Group, FunctionOptions>> = {
  // A hundred members in one call.
  v1: { timeout: Duration.seconds(25) },
};

/** Without path, address and browser: paths carry tokens. */
export const ACCESS_LOG = {
  requestId: '$context.requestId',
  route: '$context.routeKey',
  status: '$context.status',
  latency: '$context.responseLatency',
  error: '$context.error.responseType',
  authorizer: '$context.authorizer.error',
};

/** The HTTP API: the routes of the contract, a function per group, and CloudFront as its only caller. */
export class ApiStack extends Stack {
  readonly httpApi: HttpApi;
  readonly originKey: Secret;
  readonly functions: ServiceFunction[] = [];
  private readonly authorizer: HttpLambdaAuthorizer;

  constructor(scope: Construct, id: string, { stage, data }: { stage: Stage; data: DataStack }) {
    super(scope, id, { env: { region: HOME_REGION } });

    const publicUrl = new CfnParameter(this, 'PublicUrl', {
      default: `https://${stage.domain}`,
      description: 'Where the product is reached: the beginning of the links in its mails',
    });

    this.originKey = new Secret(this, 'OriginKey', {
      description: 'Sent by CloudFront with each request: the API refuses any other',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
    });
    acknowledge(this.originKey, {
      'AwsSolutions-SMG4':
        'Its reader and CloudFront would have to change at one moment: see docs/deploy.md.',
    });
    this.authorizer = this.originAuthorizer(stage);
    this.httpApi = this.createApi(stage);

    for (const [group, routes] of Object.entries(groups) as [Group, RouteTable][]) {
      const integration = this.serve(group, { stage, data, publicUrl });
      for (const key of Object.keys(routes)) this.addRoute(this, key, integration);
    }
  }

  private originAuthorizer(stage: Stage): HttpLambdaAuthorizer {
    const fn = new ServiceFunction(this, 'Origin', { stage, entry: 'functions/http/origin.ts' });
    fn.readsSecret(this.originKey, 'ORIGIN_KEY_SECRET');
    this.functions.push(fn);
    return new HttpLambdaAuthorizer('OriginAuthorizer', fn, {
      identitySource: ['$request.header.x-origin-key'],
      responseTypes: [HttpLambdaResponseType.SIMPLE],
      resultsCacheTtl: Duration.hours(1),
    });
  }

  private createApi(stage: Stage): HttpApi {
    const api = new HttpApi(this, 'Api', { apiName: `letterflow-${stage.name}`, createDefaultStage: false });
    api.addStage('Stage', {
      stageName: '$default',
      autoDeploy: true,
      detailedMetricsEnabled: true,
      throttle: stage.throttle,
      accessLogSettings: {
        destination: new LogGroupLogDestination(
          new LogGroup(this, 'AccessLog', {
            retention: stage.logRetention,
            removalPolicy: RemovalPolicy.DESTROY,
          }),
        ),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
    });
    return api;
  }

  private serve(
    group: Group,
    { stage, data, publicUrl }: { stage: Stage; data: DataStack; publicUrl: CfnParameter },
  ): HttpLambdaIntegration {
    const fn = new ServiceFunction(this, group, {
      stage,
      entry: `functions/api/${group}.ts`,
      ...NEEDS[group],
      environment: { CHECK_ANSWERS: String(stage.checkAnswers), PUBLIC_URL: publicUrl.valueAsString },
    });
    (ACCESS[group] ?? accessesTable)(fn, data);
    this.functions.push(fn);
    return integrationOf(fn);
  }

  /** Adds a route that only CloudFront can call. */
  addRoute(scope: Construct, key: string, integration: HttpLambdaIntegration): void {
    const [method, path] = key.split(' ') as [HttpMethod, string];
    new HttpRoute(scope, key, {
      httpApi: this.httpApi,
      routeKey: HttpRouteKey.with(path, method),
      integration,
      authorizer: this.authorizer,
    });
  }
}

// One permission per function: one per route would exceed the 20 KB of a function's policy.
export const integrationOf = (fn: ServiceFunction) =>
  new HttpLambdaIntegration(fn.node.id, fn, { scopePermissionToRoute: false });
