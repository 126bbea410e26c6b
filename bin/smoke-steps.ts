import * as login from '#core/account/login.ts';
import * as sendingKey from '#core/list/sending-key.ts';
import { isInvited } from '#core/organization/invitation.store.ts';
import { readClaimId } from '#core/recipient/recipient.key.ts';
import { keyFor, trackedUrl } from '#core/recipient/tracking.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { DnsRecord, Identity, TrackingDomain } from '#shared/identity.ts';
import { type Client, expecting } from './smoke-client.ts';

export type Needs = {
  client: Client;
  table: Table;
  now: () => Date;
  /** The user who signs in, and the domain that the list sends from. */
  email: string;
  domain: string;
  /** The sending key. Without one, no email is sent. */
  key: string | undefined;
  region: 'us' | 'eu';
  /** A domain that a list sends from by SES. Without one, nothing is sent by SES. */
  sesDomain: string | undefined;
  /** A domain for the links of a list. Without one, none is served. */
  trackingDomain: string | undefined;
  /** Enters records in the DNS, where this command can do that. */
  enter?: (records: DnsRecord[]) => Promise<void>;
  trackingKey: () => Promise<string>;
  /** Waits, or moves the simulated clock. */
  pass: (seconds: number) => Promise<void>;
};

/** What earlier steps have created: later steps use it, and cleanUp deletes it. */
type Made = {
  list?: string;
  sesList?: string;
  automations: string[];
  templates: string[];
  members: string[];
  organization?: number;
  links?: { pixel: string; click: string; unsubscribe: string };
  isSignedIn?: boolean;
};

type Step = {
  name: string;
  /** What the user should do if the step fails. */
  advice: string;
  run: (needs: Needs, made: Made) => Promise<void>;
  /** The step is left out without it. */
  needs?: 'key' | 'sesDomain' | 'trackingDomain';
  /** Not each stage can have what it needs: without it, the smoke test is complete. */
  isOptional?: true;
};

// A PNG of one red pixel.
const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
const DESTINATION = 'https://example.com/smoke-test';
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
/** How long an email may take, in seconds: it is due after one minute, swept in the next, and sent. */
const MOST_WAIT = 300;
const BETWEEN_LOOKS = 10;
/** How long after sending a visit still counts as one of a machine, in seconds. */
const UNTIL_PERSON = 10;

export const STEPS: Step[] = [
  {
    name: 'sign-in',
    advice:
      'Look at the log of the function login; allow the domain by npm run whitelist, or name another address with --as',
    async run({ client, table, now, email }, made) {
      const { code } = await login.issueCode({ table, now: now(), isInvited }, email);
      const { token } = await client.call('POST /api/login/verify', { body: { email, code } });
      client.as(token);
      made.isSignedIn = true;
      await client.call('POST /api/user/accept-terms');
      const organizations = await client.call('GET /api/organizations');
      made.organization = organizations[0]?.id;
      expecting(made.organization !== undefined, 'The user has no organization');
      client.as(token, made.organization);
    },
  },
  {
    name: 'list',
    advice: 'Look at the log of the function list, and at the rights to the table',
    async run({ client, domain, now }, made) {
      const body = {
        name: `Smoke test of ${now().toISOString()}`,
        domain,
        sender_name: 'Smoke test',
        sender_address: `smoke-test@${domain}`,
        active: true,
      };
      const { id } = await client.call('POST /api/email-lists', { body });
      made.list = id;
      const lists: { id: string }[] = await client.call('GET /api/email-lists');
      expecting(
        lists.some(one => one.id === id),
        'The new list is not among the lists',
      );
    },
  },
  {
    name: 'upload of a logo',
    advice:
      'Look at the log of the function list, the rights to the bucket of files, and the path /files/* of CloudFront',
    async run({ client }, made) {
      const params = { list: made.list ?? '' };
      await client.call('PUT /api/email-lists/{list}/logo', { params, body: { logo: LOGO } });
      const { logo } = await client.call('GET /api/email-lists/{list}', { params });
      const shown = await client.get(logo);
      const type = shown.headers.get('content-type') ?? '';
      expecting(
        shown.status === 200 && type.startsWith('image/'),
        `${logo} is answered ${shown.status}, as ${type}`,
      );
    },
  },
  {
    name: 'member',
    advice:
      'Look at the log of the function list-member; where the count is missing, at the Projector and its alarms',
    async run(needs, made) {
      const { client } = needs;
      await add(client, made.list, `smoke-test-before@${needs.domain}`, '2001-01-01T00:00:00Z');
      const counted = async () =>
        (await client.call('GET /api/email-lists/{list}', { params: { list: made.list ?? '' } }))
          .members_count;
      for (let waited = 0; (await counted()) !== 1; waited += BETWEEN_LOOKS) {
        expecting(waited < MOST_WAIT, 'The list does not count its member');
        await needs.pass(BETWEEN_LOOKS);
      }
    },
  },
  {
    name: 'sending key',
    needs: 'key',
    advice:
      'Check SMOKE_SENDING_KEY, SMOKE_DOMAIN and SMOKE_REGION; else look at the log of the function list and the key of KMS',
    async run({ client, table, key, region }, made) {
      const params = { list: made.list ?? '' };
      const body = { mailgun_sending_key: key, mailgun_region: region };
      await client.call('PUT /api/email-lists/{list}/mailgun-key', { params, body });
      await sendingKey.setTestMode(table, made.organization ?? 0, made.list ?? '');
      const test = await client.call('POST /api/email-lists/{list}/test-mailgun-connection', { params });
      expecting(test.connectionValid === true, test.message);
    },
  },
  {
    name: 'email',
    needs: 'key',
    advice:
      'npm run sending -- status --stage <stage>; then the alarms of the sweep and of packs, and the logs of Sweep and Sender',
    async run(needs, made) {
      const row = await sendEmail(
        needs,
        made,
        made.list,
        `smoke-test+${needs.now().getTime()}@${needs.domain}`,
      );
      made.links = await linksOf(needs, made, row);
    },
  },
  {
    name: 'open',
    needs: 'key',
    advice: 'Look at the log of the function open, and the path /t/* of CloudFront',
    async run(needs, made) {
      await needs.pass(UNTIL_PERSON);
      const { status, headers } = await needs.client.get(made.links?.pixel ?? '', { headers: BROWSER });
      expecting(
        status === 200 && headers.get('content-type') === 'image/gif',
        `The picture is answered ${status}`,
      );
      await shows(needs, made, 'is_opened');
    },
  },
  {
    name: 'click',
    needs: 'key',
    advice: 'Look at the log of the function click, and the path /t/* of CloudFront',
    async run(needs, made) {
      const { status, headers } = await needs.client.get(made.links?.click ?? '', { headers: BROWSER });
      const location = headers.get('location');
      expecting(
        status === 302 && location === DESTINATION,
        `The link is answered ${status}, and leads to ${location}`,
      );
      await shows(needs, made, 'is_clicked');
    },
  },
  {
    name: 'unsubscribe',
    needs: 'key',
    advice: 'Look at the log of the function unsubscribe',
    async run({ client }, made) {
      const { status } = await client.get(made.links?.unsubscribe ?? '', {
        method: 'POST',
        headers: { ...BROWSER, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      });
      expecting(status === 200, `Unsubscribing is answered ${status}`);
      const params = { listMember: made.members[0] ?? '' };
      const { is_subscribed } = await client.call('GET /api/list-members/{listMember}', { params });
      expecting(is_subscribed === false, 'The member is still subscribed');
    },
  },
  {
    name: 'domain at SES',
    needs: 'sesDomain',
    advice:
      'Enter the records where the DNS of the domain is managed, once, and try again in an hour; else look at the log of the function identity and its rights to SES',
    async run({ client, sesDomain = '', enter }, made) {
      const fields = { name: 'Smoke test by SES', domain: sesDomain, provider: 'ses' };
      made.sesList = await keptList(client, fields);
      const params = { list: made.sesList };
      const { records } = await client.call('POST /api/email-lists/{list}/ses-identity', { params });
      await enter?.(records);
      const checked: Identity = await client.call('POST /api/email-lists/{list}/ses-identity/check', {
        params,
      });
      expecting(checked.status === 'verified', `${checked.message}${missing(checked)}`);
    },
  },
  {
    name: 'email by SES',
    needs: 'sesDomain',
    advice:
      'Look at the log of Sender: its rights to SES, the tenant of the organization, the configuration set; and at the quota of SES',
    async run(needs, made) {
      const to = `bounce+${needs.now().getTime()}@simulator.amazonses.com`;
      const { provider } = await sendEmail(needs, made, made.sesList, to);
      expecting(provider === 'ses', `The log says that ${provider} took the email`);
    },
  },
  {
    name: 'bounce of SES',
    needs: 'sesDomain',
    advice: 'Look at the rule of EventBridge for events of SES, and at the log of the function SesEvents',
    run: (needs, made) => shows(needs, made, 'is_bounced'),
  },
  {
    name: 'tracking domain',
    needs: 'trackingDomain',
    isOptional: true,
    advice:
      'Enter the record where the DNS of the domain is managed, once, and try again in an hour; else look at the log of the function identity, its rights to CloudFront and ACM, and the tenant in CloudFront',
    run: followLink,
  },
];

const missing = ({ records }: Identity | TrackingDomain) =>
  records
    .filter(({ found }) => !found)
    .map(({ type, name, value }) => `\n           ${type} ${name} ${value}`)
    .join('');

/** The same list in each run: its domain keeps the records that are in the DNS. */
async function keptList(
  client: Client,
  fields: { name: string; domain: string; provider: string },
): Promise<string> {
  const lists: { id: string; name: string; domain: string }[] = await client.call('GET /api/email-lists');
  const known = lists.find(list => list.name === fields.name && list.domain === fields.domain);
  if (known) return known.id;
  const sender_address = `smoke-test@${fields.domain}`;
  const body = { ...fields, sender_name: 'Smoke test', sender_address };
  const { id } = await client.call('POST /api/email-lists', { body });
  // An automation needs a column that the list has.
  await add(client, id, `smoke-test-before@${fields.domain}`, '2001-01-01T00:00:00Z');
  return id;
}

/** A certificate takes some minutes. */
const UNTIL_SERVED = 900;

async function followLink(needs: Needs, { organization = 0 }: Made): Promise<void> {
  const { client, trackingDomain: domain = '', enter, pass, now } = needs;
  const name = `Smoke test of ${domain}`;
  const params = { list: await keptList(client, { name, domain: needs.domain, provider: 'mailgun' }) };
  const tracking = 'POST /api/email-lists/{list}/tracking-domain';
  const { records } = await client.call(tracking, { params, body: { domain } });
  await enter?.(records);
  let checked: TrackingDomain = await client.call(`${tracking}/check`, { params });
  for (let waited = 0; checked.status === 'issuing' && waited < UNTIL_SERVED; waited += BETWEEN_LOOKS) {
    await pass(BETWEEN_LOOKS);
    checked = await client.call(`${tracking}/check`, { params });
  }
  expecting(checked.status === 'active', `${checked.message}${missing(checked)}`);
  // No server has the name that only this machine knows.
  if (enter) return;
  const sent = { organization, hash: 'A'.repeat(22), seq: 1, written: now() };
  const link = { ...sent, url: DESTINATION, part: 'cta_url' } as const;
  const key = keyFor(await needs.trackingKey(), domain);
  for (const [at, expected] of [
    [`https://${domain}`, 302],
    [client.url, 404],
  ] as const) {
    const { status } = await client.get(trackedUrl(at, key, 'click', link), { headers: BROWSER });
    expecting(status === expected, `A link of ${domain} is answered ${status} at ${at}`);
  }
}

async function add(client: Client, list = '', email: string, due: string): Promise<string> {
  const body = { email_list_id: list, email, is_subscribed: true, metadata: { due } };
  return (await client.call('POST /api/list-members', { body })).id;
}

async function sendEmail(needs: Needs, made: Made, list = '', to: string): Promise<Row> {
  const { client, now, pass } = needs;
  const content = {
    name: 'Smoke test',
    subject_line: `Smoke test of ${now().toISOString()}`,
    preheader: 'Nobody gets it.',
    pre_cta_content: 'It goes to the test mode of the provider.',
    cta_text: 'Follow',
    cta_url: DESTINATION,
  };
  const automation = {
    name: `smoke_test_${now().getTime()}`,
    email_list_ids: [list],
    metadata_trigger: 'due',
    active: true,
    every_x_days: 3000,
    stop_after_days: 0,
  };
  const { id } = await client.call('POST /api/automations', { body: automation });
  made.automations.unshift(id);
  const template = { ...content, automation_ids: [id] };
  made.templates.push((await client.call('POST /api/email-templates', { body: template })).id);
  made.members.push(await add(client, list, to, new Date(now().getTime() + 60_000).toISOString()));
  let row = await logged(needs, made);
  for (let waited = 0; !row; waited += BETWEEN_LOOKS) {
    expecting(waited < MOST_WAIT, `Nothing was sent within ${MOST_WAIT} seconds`);
    await pass(BETWEEN_LOOKS);
    row = await logged(needs, made);
  }
  expecting(row.status === 'sent', `The email is ${row.status}: ${row.reason}`);
  return row;
}

type Row = { id: string; status: string; reason: string | null; sent_at: string; provider: string };

/** The row of the last email in the log, sent or skipped. */
async function logged({ client }: Needs, { automations: [automation = ''] }: Made): Promise<Row | undefined> {
  for (const status of [undefined, 'skipped']) {
    const query = { automation, ...(status && { status }) };
    const [row] = (await client.call('GET /api/email-sends', { query })).data;
    if (row) return row;
  }
  return undefined;
}

/** The links of the email, signed as the sender signs them: in test mode nobody receives it. */
async function linksOf({ client, trackingKey }: Needs, made: Made, row: Row): Promise<Made['links']> {
  const params = { list: made.list ?? '' };
  const of = await client.call('GET /api/email-lists/{list}', { params });
  const named = readClaimId(row.id);
  expecting(named !== undefined, `${row.id} is no email`);
  const sent = { ...named, organization: made.organization ?? 0, written: new Date(row.sent_at) };
  const key = await trackingKey();
  return {
    pixel: trackedUrl(client.url, key, 'open', sent),
    click: trackedUrl(client.url, key, 'click', { ...sent, url: DESTINATION, part: 'cta_url' }),
    unsubscribe: trackedUrl(client.url, key, 'unsubscribe', {
      ...sent,
      language: 'en',
      list: 'Smoke test',
      logo: of.logo ?? '',
      sender: { name: of.sender_name, address: of.sender_address },
    }),
  };
}

/** What the log says of an email may come some time after it. */
async function shows(
  needs: Needs,
  made: Made,
  field: 'is_opened' | 'is_clicked' | 'is_bounced',
): Promise<void> {
  const isShown = async () => ((await logged(needs, made)) as Record<string, unknown> | undefined)?.[field];
  for (let waited = 0; !(await isShown()); waited += BETWEEN_LOOKS) {
    expecting(waited < MOST_WAIT, `The log of emails does not say ${field}`);
    await needs.pass(BETWEEN_LOOKS);
  }
}

/** Deletes what the steps have created, and signs out. */
export async function cleanUp({ client }: Needs, made: Made): Promise<void> {
  const { list, sesList, automations, templates, members, isSignedIn } = made;
  for (const emailTemplate of templates)
    await client.call('DELETE /api/email-templates/{emailTemplate}', { params: { emailTemplate } });
  for (const automation of automations)
    await client.call('DELETE /api/automations/{automation}', { params: { automation } });
  if (list) await client.call('DELETE /api/email-lists/{list}', { params: { list } });
  const [, listMember] = members;
  if (sesList && listMember)
    await client.call('DELETE /api/list-members/{listMember}', { params: { listMember } });
  if (isSignedIn) await client.call('POST /api/logout');
}

export type { Made };
