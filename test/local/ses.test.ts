import { DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import {
  CreateEmailIdentityCommand,
  CreateTenantCommand,
  CreateTenantResourceAssociationCommand,
  GetAccountCommand,
  SESv2Client,
  SendBulkEmailCommand,
  type SendBulkEmailRequest,
} from '@aws-sdk/client-sesv2';
import { afterEach, describe, expect, it } from 'vitest';
import type { Outcome } from '#core/provider.ts';
import { createSes } from '#functions/providers/ses/ses.ts';
import { createZone } from '#local/dns/zone.ts';
import type { BusEvent } from '#local/events/bus.ts';
import type { Killer } from '#local/functions/killer.ts';
import { createMeter } from '#local/meter.ts';
import { httpServer, listen } from '#local/server.ts';
import { createSes as createLocal } from '#local/ses/ses.ts';
import { rendered } from '#shared/email/email.ts';
import { CORPUS } from '../shared/email/corpus.ts';
import { emailTo, people } from '../support/outgoing.ts';

const SET = 'letterflow-local';
const TENANT = `${SET}-7`;
const ACCESS = { organization: 7, domain: 'example.com', region: 'eu' } as const;
const NOW = Date.parse('2030-01-01T12:00:00Z');

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** The stand-in behind HTTP, with the adapter of the product and its client, the SDK, before it. */
async function started({ strikes = () => false }: Partial<Killer> = {}) {
  const events: BusEvent[] = [];
  const meter = createMeter();
  const database = new DatabaseSync(':memory:');
  const zone = createZone(database);
  const local = createLocal({
    database,
    zone,
    now: () => NOW,
    usersNow: () => NOW,
    meter,
    killer: { strikes, set() {}, hasEnded: () => false },
    unmetered: 'tools',
    configurationSets: () => ({ has: name => name === SET, publishes: (_, type) => type !== 'delivery' }),
    bus: () => ({ put: async event => events.push(event) > 0 }),
  });
  const server = httpServer(async (request, response) => {
    const { method = '', url = '' } = request;
    const answer = await local.answer({ method, path: url, body: await buffer(request) }, 'sender');
    if (!answer) return void request.socket.destroy();
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  const port = await listen(server);
  const client = new SESv2Client({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
  closers.push(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  const { DkimAttributes } = await client.send(
    new CreateEmailIdentityCommand({ EmailIdentity: 'example.com' }),
  );
  for (const token of DkimAttributes?.Tokens ?? [])
    zone.set(`${token}._domainkey.example.com`, 'CNAME', [`${token}.dkim.amazonses.com`]);
  await client.send(new CreateTenantCommand({ TenantName: TENANT }));
  for (const resource of ['identity/example.com', `configuration-set/${SET}`]) {
    const ResourceArn = `arn:aws:ses:eu-central-1:000000000000:${resource}`;
    await client.send(new CreateTenantResourceAssociationCommand({ TenantName: TENANT, ResourceArn }));
  }
  const send = (request: SendBulkEmailRequest) => client.send(new SendBulkEmailCommand(request));
  const ses = createSes(
    { sendBulkEmail: send, getAccount: () => client.send(new GetAccountCommand({})) },
    { placeOf: () => ({ configurationSet: SET, tenant: TENANT }), pause: async () => {} },
  );
  const post = (emails: ReturnType<typeof outgoing>[]) => ses.post(ACCESS, emails, async () => true);
  return { local, ses, post, send, meter, events };
}

const outgoing = (
  to: string,
  ...rest: Parameters<typeof emailTo> extends [string, ...infer Rest] ? Rest : never
) => ({ ...emailTo(to, ...rest), id: `7-${Buffer.from(to.slice(0, 16)).toString('base64url')}-1` });
const some = (count: number) => people(count).map(to => outgoing(to));
const kinds = (outcomes: Outcome[]) => outcomes.map(({ kind }) => kind);

describe('The local SES', () => {
  it.each(Object.entries(CORPUS))(
    'delivers what the product has written, to each: %s',
    async (_, { content, metadata = {} }) => {
      const { post, local, meter } = await started();
      const [ann, ben] = people(2) as [string, string];
      const emails = [
        outgoing(ann, content, metadata as Record<string, string>),
        outgoing(ben, content, { name: '{{v0}} {' }),
      ];
      expect(kinds(await post(emails))).toEqual(['accepted', 'accepted']);
      const plain = (text: string) => text.replaceAll('&#123;', '{').replaceAll('{\u2060', '{');
      for (const email of emails) {
        const [message] = local.messages(email.to, 10);
        const { subject, html, text } = rendered(email);
        expect([message?.subject, message?.html, message?.text].map(one => plain(one ?? ''))).toEqual(
          [subject, html, text].map(plain),
        );
        expect(message?.headers).toMatchObject({ ...email.headers, To: email.to });
        expect(message?.variables).toMatchObject({ send: email.id });
      }
      expect(meter.read().provider).toEqual({ calls: 1, accepted: 2 });
    },
  );

  it.each<[string, (request: SendBulkEmailRequest) => object]>([
    ['a header with a line break', () => ({ DefaultContent: header('a\nb') })],
    ['a header that is too long', () => ({ DefaultContent: header('x'.repeat(996)) })],
    ['a field that it does not know', () => ({ FeedbackForwardingEmailAddress: 'ann@example.com' })],
    [
      'fifty-one emails',
      ({ BulkEmailEntries = [] }) => ({ BulkEmailEntries: Array(51).fill(BulkEmailEntries[0]) }),
    ],
    ['more than a megabyte', () => ({ DefaultContent: html('x'.repeat(1_000_000)) })],
    [
      'a tag with a space',
      ({ BulkEmailEntries = [] }) => ({
        BulkEmailEntries: [{ ...BulkEmailEntries[0], ReplacementTags: [{ Name: 'send', Value: 'a b' }] }],
      }),
    ],
    ['an address with other letters', () => ({ FromEmailAddress: 'zoë@example.com' })],
  ])('refuses a call with %s', async (_, change) => {
    const { send, local } = await started();
    const request = simple();
    await expect(send({ ...request, ...change(request) })).rejects.toMatchObject({
      name: 'BadRequestException',
    });
    expect(local.messages(undefined, 10)).toEqual([]);
  });

  it('answers for each email, and says at once what it does not take', async () => {
    const { send } = await started();
    const request = simple();
    const [entry] = request.BulkEmailEntries ?? [];
    const to = (address: string) => ({ ...entry, Destination: { ToAddresses: [address] } });
    const statuses = async (given: SendBulkEmailRequest) =>
      (await send(given)).BulkEmailEntryResults?.map(({ Status }) => Status);
    expect(
      await statuses({ ...request, BulkEmailEntries: [to('ann@example.com'), to('no address')] }),
    ).toEqual(['SUCCESS', 'INVALID_PARAMETER']);
    expect(await statuses({ ...request, ConfigurationSetName: 'other' })).toEqual([
      'CONFIGURATION_SET_NOT_FOUND',
    ]);
    for (const other of [{ TenantName: `${SET}-8` }, { FromEmailAddress: 'us@other.example' }]) {
      expect(await statuses({ ...request, ...other })).toEqual(['MAIL_FROM_DOMAIN_NOT_VERIFIED']);
    }
  });

  it.each(['{{v1}}', '\\{{v0}}', '{{{v0}}}', '{{#if v0}}', '{{v0}}}'])(
    'takes a template with %s, and says on the bus that it could not render it',
    async template => {
      const { send, local, events } = await started();
      const { BulkEmailEntryResults = [] } = await send({ ...simple(), DefaultContent: html(template) });
      expect(BulkEmailEntryResults).toMatchObject([{ Status: 'SUCCESS' }]);
      expect(local.messages(undefined, 10)).toEqual([]);
      expect(events).toMatchObject([
        {
          bus: 'default',
          source: 'aws.ses',
          detailType: 'Email Rendering Failed',
          detail: { mail: { tags: { send: ['7-one-1'], 'ses:configuration-set': [SET] } } },
        },
      ]);
    },
  );

  it.each<
    [Parameters<Awaited<ReturnType<typeof started>>['local']['setFaults']>[0]['provider'], object, number]
  >([
    ['401', { kind: 'not_sent', reason: 'denied', seconds: 0 }, 0],
    ['429', { kind: 'not_sent', reason: 'throttled', seconds: 30 }, 0],
    ['500', { kind: 'unknown' }, 0],
    ['drop_after_accept', { kind: 'unknown' }, 1],
  ])('has the fault %s', async (provider, outcome, accepted) => {
    const { local, post } = await started();
    local.setFaults({ provider, rate: 1 });
    expect(await post(some(1))).toEqual([outcome]);
    expect(local.messages(undefined, 10)).toHaveLength(accepted);
  });

  it.each([
    ['before_post', 0],
    ['after_post', 1],
  ])('is where a sender is killed: %s', async (moment, accepted) => {
    const { local, post } = await started({ strikes: kill => kill === moment });
    expect(await post(some(1))).toEqual([{ kind: 'unknown' }]);
    expect(local.messages(undefined, 10)).toHaveLength(accepted);
  });

  const account = (more: object) => ({
    max_send_rate: 10,
    max_24_hour_send: 100,
    sending_enabled: true,
    enforcement_status: 'HEALTHY' as const,
    ...more,
  });

  it('keeps to the rate and the quota that it names', async () => {
    const { local, ses, post } = await started();
    local.setAccount(account({}));
    expect(await ses.pace?.()).toEqual({ perSecond: 10, left: 100, isPaused: false });
    const outcomes = await post(some(12));
    expect(outcomes.filter(({ kind }) => kind === 'accepted')).toHaveLength(10);
    expect(outcomes).toContainEqual({ kind: 'not_sent', reason: 'throttled', seconds: 30 });
    expect(await ses.pace?.()).toMatchObject({ left: 90 });
    local.setAccount(account({ max_24_hour_send: 10 }));
    expect(await post(some(1))).toEqual([{ kind: 'not_sent', reason: 'throttled', seconds: 900 }]);
    local.setAccount(account({ sending_enabled: false }));
    expect(await post(some(1))).toEqual([{ kind: 'not_sent', reason: 'throttled', seconds: 900 }]);
    expect(await ses.pace?.()).toMatchObject({ isPaused: true });
  });

  it('reports on the bus what becomes of an email, where the configuration set has a destination for it', async () => {
    const { local, post, events } = await started();
    const [email] = some(1) as [ReturnType<typeof outgoing>];
    await post([email]);
    for (const name of [
      'bounced',
      'bounced_soft',
      'complained',
      'rejected',
      'suppressed',
      'delivered',
    ] as const) {
      await local.report(email.id, name);
    }
    expect(events.map(({ detailType }) => detailType)).toEqual([
      'Email Bounced',
      'Email Bounced',
      'Email Complaint Received',
      'Email Rejected',
      'Email Bounced',
    ]);
    expect(events[0]?.detail).toMatchObject({
      mail: { tags: { send: [email.id] } },
      bounce: { bounceType: 'Permanent' },
    });
    expect(local.report('7-other-1', 'bounced')).toBeUndefined();
  });

  it('shows no email to the simulator', async () => {
    const { local, ses } = await started();
    expect(kinds(await ses.post({ ...ACCESS, testMode: true }, some(2), async () => true))).toEqual([
      'accepted',
      'accepted',
    ]);
    expect(local.messages(undefined, 10)).toEqual([]);
  });
});

const html = (Html: string, Headers: { Name: string; Value: string }[] = []) => ({
  Template: { TemplateContent: { Subject: 'Hello', Html, Text: 'Hello' }, TemplateData: '{}', Headers },
});
const header = (Value: string) => html('Hello', [{ Name: 'X-One', Value }]);
const simple = (): SendBulkEmailRequest => ({
  FromEmailAddress: 'us@example.com',
  DefaultContent: html('Hello'),
  BulkEmailEntries: [
    {
      Destination: { ToAddresses: ['ann@example.com'] },
      ReplacementEmailContent: { ReplacementTemplate: { ReplacementTemplateData: '{"v0":"Ann"}' } },
      ReplacementTags: [{ Name: 'send', Value: '7-one-1' }],
    },
  ],
  ConfigurationSetName: SET,
  TenantName: TENANT,
});
