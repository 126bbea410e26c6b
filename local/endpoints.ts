import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Access } from './access/access.ts';
import { json, jsonService, Refused } from './aws-json.ts';
import type { Clock } from './clock.ts';
import type { CloudFront } from './cloudfront.ts';
import type { DnsServer } from './dns/dns.ts';
import { exchange } from './engines/call.ts';
import { createEventBridge, type EventBridgeOptions } from './events/event-bridge.ts';
import type { Killer } from './functions/killer.ts';
import { functionOf } from './functions/pool.ts';
import type { HttpAnswer } from './gateway/response.ts';
import type { Keys } from './kms/keys.ts';
import { createKms } from './kms/kms.ts';
import type { Mailgun, Region } from './mailgun/mailgun.ts';
import type { Meter } from './meter.ts';
import { messageOf } from './mistake.ts';
import { createS3 } from './objects/s3.ts';
import type { ObjectStore } from './objects/store.ts';
import type { Secrets } from './secrets.ts';
import { httpServer, listen } from './server.ts';
import type { Ses } from './ses/ses.ts';

export type Endpoints = Awaited<ReturnType<typeof startEndpoints>>;

// https://docs.aws.amazon.com/sdkref/latest/guide/ss-endpoints-table.html
const VARIABLES = {
  dynamodb: 'AWS_ENDPOINT_URL_DYNAMODB',
  sqs: 'AWS_ENDPOINT_URL_SQS',
  s3: 'AWS_ENDPOINT_URL_S3',
  secrets: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
  ses: 'AWS_ENDPOINT_URL_SESV2',
  cloudfront: 'AWS_ENDPOINT_URL_CLOUDFRONT',
  kms: 'AWS_ENDPOINT_URL_KMS',
  events: 'AWS_ENDPOINT_URL_EVENTBRIDGE',
  'mailgun-us': 'MAILGUN_US_URL',
  'mailgun-eu': 'MAILGUN_EU_URL',
  dns: 'DNS_SERVERS',
} as const;

type Service = Exclude<keyof typeof VARIABLES, Region | 'dns'>;

/** The name for callers outside the product: they are neither metered nor restricted by policies. */
export const TOOLS = 'tools';

type EndpointsOptions = {
  engines: { dynamodb: string; queues: string };
  objects: ObjectStore;
  ses: Pick<Ses, 'answer'>;
  cloudFront: Pick<CloudFront, 'answer'>;
  /** Mailgun listens on a port of its own. */
  mailgun: Pick<Mailgun, 'urlOf'>;
  dns: Pick<DnsServer, 'address'>;
  clock: Clock;
  secrets: () => Secrets | undefined;
  keys: () => Keys | undefined;
  access: () => Access | undefined;
  bus: EventBridgeOptions['bus'];
  meter: Meter;
  killer: Killer;
  /** Called after each write to a table, or message to a queue. */
  written: () => void;
  queued: () => void;
};

const isProduct = (caller: string) => caller !== TOOLS;

type Call = {
  operation: string;
  body: Buffer;
  headers: IncomingMessage['headers'];
  method: string;
  path: string;
};

const WRITES = /^(Put|Update|Delete|BatchWrite|TransactWrite|Execute|BatchExecute)/;
const QUEUEING = /^(SendMessage|ChangeMessageVisibility)/;

/** The AWS endpoints of the functions. They count calls and forward them to the engines. */
export async function startEndpoints(options: EndpointsOptions) {
  const { meter, engines, clock } = options;
  /** Undefined if the caller gets no response. */
  const services: Record<Service, (call: Call, caller: string) => Promise<HttpAnswer | undefined>> = {
    async dynamodb(call, caller) {
      const asked = parse(call.body);
      const refusal =
        isProduct(caller) && options.access()?.refusal(functionOf(caller), call.operation, asked);
      if (refusal) return json(400, { __type: 'AccessDeniedException', Message: refusal });
      // Other operations, such as DescribeTable, do not accept the option.
      const measured = /Item|Query|Scan|Statement/.test(call.operation);
      const body = measured
        ? Buffer.from(JSON.stringify({ ...asked, ReturnConsumedCapacity: 'INDEXES' }))
        : call.body;
      const answer = await forward(engines.dynamodb, { ...call, path: '/', body });
      if (WRITES.test(call.operation)) options.written();
      if (!measured) return answer;
      const answered = parse(answer.body);
      if (isProduct(caller)) {
        const ok = answer.status === 200;
        const request = { caller: functionOf(caller), operation: call.operation, body: asked };
        meter.dynamodb(request, { ok, body: answered });
      }
      const { ConsumedCapacity: _, ...rest } = answered;
      return { ...answer, body: Buffer.from(JSON.stringify(rest)) };
    },
    async sqs(call, caller) {
      if (isProduct(caller)) meter.sqs();
      // The process is ended before the call is forwarded: what it sends from now on is dropped.
      if (QUEUEING.test(call.operation)) options.killer.strikes('sweep', caller);
      await clock.synced();
      const answer = await forward(engines.queues, { ...call, path: '/' });
      if (QUEUEING.test(call.operation)) options.queued();
      return answer;
    },
    ses: (call, caller) => options.ses.answer(call, caller),
    cloudfront: call => options.cloudFront.answer(call),
    s3: createS3(options.objects),
    secrets: jsonService('Secrets Manager', {
      GetSecretValue(input) {
        const { SecretId } = input as { SecretId?: string };
        const value = options.secrets()?.get(String(SecretId));
        if (value !== undefined) return { ARN: SecretId, Name: SecretId, SecretString: value };
        throw new Refused('ResourceNotFoundException', `The template has no secret ${SecretId}.`);
      },
    }),
    kms: createKms(options.keys),
    events: createEventBridge({ bus: options.bus, now: clock.now }),
  };

  const server = httpServer((incoming, response) => void answerCall(incoming, response));

  async function answerCall(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, caller = '', service = '', path = ''] =
      /^\/([^/]+)\/([^/?]+)(.*)$/.exec(incoming.url ?? '') ?? [];
    try {
      const call = await readCall(incoming, path);
      if (options.killer.hasEnded(caller)) return void incoming.socket.destroy();
      const answer = Object.hasOwn(services, service)
        ? await services[service as Service](call, caller)
        : json(404, { message: `The local stack has no service ${service}` });
      if (!answer) return void incoming.socket.destroy();
      const { 'transfer-encoding': _, 'x-amz-crc32': __, date: ___, ...headers } = answer.headers;
      // If the date of a response differs from its own clock, the SDK retries the call.
      response.sendDate = false;
      response.writeHead(answer.status, { ...headers, 'content-length': answer.body.length });
      response.end(incoming.method === 'HEAD' ? undefined : answer.body);
    } catch (error) {
      const { status, headers, body } = json(500, {
        message: `The engine does not answer: ${messageOf(error)}`,
      });
      response.writeHead(status, headers).end(body);
    }
  }

  const port = await listen(server);
  // SES has a port of its own, so that it can refuse connections.
  const ses = httpServer((incoming, response) => void answerCall(incoming, response));
  const sesPort = await listen(ses);
  const urlOf = (caller: string, service: keyof typeof VARIABLES) => {
    if (service === 'dns') return options.dns.address;
    return service === 'mailgun-us' || service === 'mailgun-eu'
      ? options.mailgun.urlOf(caller, service)
      : `http://127.0.0.1:${service === 'ses' ? sesPort : port}/${caller}/${service}`;
  };
  return {
    urlOf,
    /** The environment variables that lead the clients of a caller here. */
    environmentOf: (caller: string): Record<string, string> =>
      Object.fromEntries(
        (Object.keys(VARIABLES) as (keyof typeof VARIABLES)[]).map(service => [
          VARIABLES[service],
          urlOf(caller, service),
        ]),
      ),
    /** Whether SES refuses connections. */
    async setRefusing(isRefusing: boolean) {
      if (isRefusing && ses.listening) await closed(ses);
      if (!isRefusing && !ses.listening) await listen(ses, sesPort);
    },
    async close() {
      await Promise.all([server, ses].map(closed));
    },
  };
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise(done => server.close(done));
}

async function readCall(incoming: IncomingMessage, path: string): Promise<Call> {
  const { method = 'GET', headers } = incoming;
  const operation =
    String(headers['x-amz-target'] ?? '')
      .split('.')
      .at(-1) ?? '';
  return { operation, body: await buffer(incoming), headers, method, path };
}

function forward(base: string, { method, path, headers, body }: Call): Promise<HttpAnswer> {
  const { host: _, 'transfer-encoding': __, ...passed } = headers;
  return exchange(new URL(path || '/', base), {
    method,
    headers: { ...passed, 'content-length': body.length },
    body,
  });
}

const parse = (body: Buffer): Record<string, unknown> => JSON.parse(body.toString() || '{}');
