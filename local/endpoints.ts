import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Access } from './access/access.ts';
import { json, jsonService, Refused } from './aws-json.ts';
import type { Clock } from './clock.ts';
import { createEventBridge, type EventBridgeOptions } from './events/event-bridge.ts';
import type { Killer } from './functions/killer.ts';
import { functionOf } from './functions/pool.ts';
import type { Keys } from './kms/keys.ts';
import { createKms } from './kms/kms.ts';
import type { Mailgun, Region } from './mailgun/mailgun.ts';
import type { Meter } from './meter.ts';
import { messageOf } from './mistake.ts';
import { createS3 } from './objects/s3.ts';
import type { ObjectStore } from './objects/store.ts';
import type { Secrets } from './secrets.ts';
import type { Ses } from './ses/ses.ts';

export type Endpoints = {
  /** The URL of a service for a caller, whose name is in the path. */
  urlOf: (caller: string, service: Service | Region) => string;
  close: () => Promise<void>;
};

export type Service = 'dynamodb' | 'sqs' | 'ses' | 's3' | 'secrets' | 'kms' | 'events';

/** The name for callers outside the product: they are neither metered nor restricted by policies. */
export const TOOLS = 'tools';

type EndpointsOptions = {
  engines: { dynamodb: string; queues: string };
  objects: ObjectStore;
  ses: Pick<Ses, 'answer'>;
  /** Mailgun listens on a port of its own. */
  mailgun: Pick<Mailgun, 'urlOf'>;
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

type Answer = { status: number; headers: Record<string, string>; body: Buffer };
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
export async function startEndpoints(options: EndpointsOptions): Promise<Endpoints> {
  const { meter, engines, clock } = options;
  const agent = new Agent({ keepAlive: true });
  const forward = (base: string, call: Call) => send(agent, base, call);

  const services: Record<Service, (call: Call, caller: string) => Promise<Answer>> = {
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
    ses: async call => options.ses.answer(call),
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

  const server = createServer((incoming, response) => void answerCall(incoming, response));
  // A client may call at the moment when an idle connection is closed, and sending an email is not retried.
  server.keepAliveTimeout = 0;

  async function answerCall(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, caller = '', service = '', path = ''] =
      /^\/([^/]+)\/([^/?]+)(.*)$/.exec(incoming.url ?? '') ?? [];
    try {
      const call = await readCall(incoming, path);
      if (options.killer.hasEnded(caller)) return void incoming.socket.destroy();
      const answer = Object.hasOwn(services, service)
        ? await services[service as Service](call, caller)
        : json(404, { message: `The local stack has no service ${service}` });
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

  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (caller, service) =>
      service === 'mailgun-us' || service === 'mailgun-eu'
        ? options.mailgun.urlOf(caller, service)
        : `http://127.0.0.1:${port}/${caller}/${service}`,
    async close() {
      server.closeAllConnections();
      agent.destroy();
      await new Promise(done => server.close(done));
    },
  };
}

async function readCall(incoming: IncomingMessage, path: string): Promise<Call> {
  const { method = 'GET', headers } = incoming;
  const operation =
    String(headers['x-amz-target'] ?? '')
      .split('.')
      .at(-1) ?? '';
  return { operation, body: await buffer(incoming), headers, method, path };
}

function send(agent: Agent, base: string, { method, path, headers, body }: Call): Promise<Answer> {
  const { host: _, 'transfer-encoding': __, ...passed } = headers;
  return new Promise((done, failed) => {
    const url = new URL(path || '/', base);
    const outgoing = request(
      url,
      { method, agent, headers: { ...passed, 'content-length': body.length } },
      incoming => {
        const { statusCode: status = 502, headers: answered } = incoming;
        buffer(incoming).then(
          body => done({ status, headers: answered as Record<string, string>, body }),
          failed,
        );
      },
    );
    outgoing.on('error', failed);
    outgoing.end(body);
  });
}

const parse = (body: Buffer): Record<string, unknown> => JSON.parse(body.toString() || '{}');
