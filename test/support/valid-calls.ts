import { LAYOUT_EXAMPLES } from '#shared/layout-examples.ts';
import { SCOPE_NAMES } from '#shared/permissions.ts';
import { type RouteKey, routes } from '#shared/routes.ts';
import { ALL_LISTS } from '#shared/unsubscribe-webhook.ts';
import { asking, serveAssistants } from './assistant.ts';
import { newAddress } from './client.ts';
import { asset, assetSet, newAsset, newAutomation, newTemplate, template } from './content.ts';
import { dataUrl, PNG } from './images.ts';
import { newList } from './list.ts';
import { LOOK } from './look.ts';
import { newMember, type Person } from './member.ts';
import { invite, join } from './organization.ts';
import { newUnknownSend } from './sends.ts';
import type { Stack } from './stack.ts';
import { newFailedDelivery, newWebhook } from './webhooks.ts';

/** One of each item that a path, a query or a body can refer to, all of one organization. */
export type Belongings = {
  owner: Person;
  apiToken: string;
  ids: {
    organization: string;
    list: string;
    webhook: string;
    delivery: string;
    /** Those of the organization. */
    webhookOfAll: string;
    deliveryOfAll: string;
    listMember: string;
    /** An import none of whose rows have been sent. */
    memberImport: string;
    recipient: string;
    member: string;
    invitation: string;
    invitationToken: string;
    session: string;
    tokenName: string;
    automation: string;
    sequence: string;
    /** An automation that is a step of it. */
    step: string;
    broadcast: string;
    emailAsset: string;
    emailTemplate: string;
    emailSend: string;
    listMemberAction: string;
    /** Of a plan that changes the automation. */
    hash: string;
  };
};

let owners = 0;

export async function newBelongings(stack: Stack, name = 'Depot'): Promise<Belongings> {
  const { call } = stack;
  await serveAssistants();
  const owner = await newMember(stack);
  const as = { token: owner.token, organization: owner.home.id };
  const organization = String(owner.home.id);
  await call('PUT /api/organizations/{organization}', { ...as, params: { organization }, body: { name } });
  const list = await newList(stack, owner, { name: `${name} readers` });
  const recipient = newAddress('reader');
  const { body: listMember } = await call('POST /api/list-members', {
    ...as,
    body: { email_list_id: list, email: recipient, metadata: { ends: '2030-01-05', note: name } },
  });
  const { body: memberImport } = await call('POST /api/email-lists/{list}/imports', {
    ...as,
    params: { list },
    body: memberFile(`${name}.csv`),
  });
  await call('PUT /api/email-lists/{list}/mailgun-key', {
    ...as,
    params: { list },
    body: { mailgun_sending_key: 'key-1' },
  });
  // A key for the domain of the list, so that a call may name it.
  const key = { type: 'TXT', name: 'k1._domainkey.example.com', values: [`p=${'A'.repeat(392)}`] };
  await stack.fetchJson('PUT', '/_local/dns', { body: JSON.stringify(key) });
  const colleague = await newMember(stack);
  await join(stack, owner, owner.home.id, colleague);
  const invitationToken = await invite(stack, owner, owner.home.id, newAddress('guest'));
  const { body: members } = await call('GET /api/organizations/{organization}/members', {
    ...as,
    params: { organization },
  });
  // It must not become due while a test compares stored items: the sweep would write an outcome.
  const fields = { name: name.replace(/\W/g, '_'), lists: [list], delay_days: 3650 };
  const automation = await newAutomation(stack, owner, fields);
  const { body: sequence } = await call('POST /api/sequences', {
    ...as,
    body: { name: `${name} course`, steps: [{}] },
  });
  const { body: draft } = await call('POST /api/broadcasts', {
    ...as,
    body: { name: `${name} news`, email_list_ids: [list] },
  });
  const broadcast = draft.id;
  const tokenName = `program_${++owners}`;
  const { body: created } = await call('POST /api/tokens', {
    ...as,
    body: { name: tokenName, expiration: null, scopes: SCOPE_NAMES },
  });
  stack.mustNotBeLogged(created.token);
  const { body: sessions } = await call('GET /api/user/sessions', as);
  const emailTemplate = await newTemplate(stack, owner, { name, automation_ids: [automation] });
  const sent = {
    organization: owner.home.id,
    listMember: listMember.id,
    automation,
    template: emailTemplate,
  };
  const emailSend = await newUnknownSend(stack, sent);
  const webhook = await newWebhook(stack, owner, list, { name, headers: { Authorization: 'Bearer 1' } });
  const delivery = await newFailedDelivery(stack, {
    organization: owner.home.id,
    list,
    webhook: webhook.id,
    member: listMember.id,
  });
  const ofAll = await newWebhook(stack, owner, ALL_LISTS, { name });
  const deliveryOfAll = await newFailedDelivery(stack, {
    organization: owner.home.id,
    list: ALL_LISTS,
    webhook: ofAll.id,
    member: listMember.id,
  });
  const { body: plan } = await call('POST /api/plans', {
    ...as,
    body: { automations: [{ id: automation, delay_days: 3649 }] },
  });
  const ids = {
    organization,
    list,
    webhook: webhook.id,
    delivery,
    webhookOfAll: ofAll.id,
    deliveryOfAll,
    listMember: listMember.id,
    memberImport: memberImport.id,
    recipient,
    member: colleague.id,
    invitation: members.pending_invitations[0].id,
    invitationToken,
    session: sessions.sessions[0].id,
    tokenName,
    automation,
    sequence: sequence.id,
    step: sequence.steps[0].automation_id,
    broadcast,
    emailAsset: await newAsset(stack, owner, { name, automation_ids: [automation] }),
    emailTemplate,
    emailSend,
    listMemberAction: `${list}-${emailSend}`,
    hash: plan.hash,
  };
  return { owner, apiToken: created.token, ids };
}

export type Input = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
};

const list = (name: string) => ({
  name,
  domain: 'example.com',
  sender_name: 'The shop',
  sender_address: 'hello@example.com',
  unsubscribe_text: 'Unsubscribe',
  active: true,
});

const automation = (list: string) => ({
  name: 'trial_ends',
  active: true,
  repeat: 'days',
  every_x_days: 7,
  delay_days: 1,
  delay_minutes: 90,
  stop_after_days: 30,
  metadata_trigger: 'ends',
  email_list_ids: [list],
  double_send_first: true,
  double_send_second: false,
  double_send_third: false,
  triple_send_first: false,
  triple_send_second: true,
  triple_send_third: false,
  audience: audience(list),
});

const sequence = (list: string) => ({
  name: 'Welcome course',
  active: true,
  email_list_ids: [list],
  metadata_trigger: 'ends',
  starts_at: 'event',
  audience: audience(list),
  send_at: '09:00',
  time_zone_of: 'list',
  days_off: ['sunday'],
});

const audience = (list: string) => ({ all: [{ field: '@list', op: 'on', value: list }] });

const columns = [
  { position: 0, name: 'Address', to: 'email' },
  { position: 2, name: 'Ends', to: 'metadata', key: 'ends', dates: 'day_first' },
];
const rows = () => [[newAddress('imported'), '2031-01-05']];

const memberFile = (file_name: string) => ({
  file_name,
  size: 120,
  fingerprint: 'a'.repeat(64),
  total_rows: 3,
  columns,
  mode: 'update',
  as: 'subscribed',
  consent: { source: 'Sign-up form', date: '2029-12-31' },
});

type Ids = Belongings['ids'];
type Fields = Omit<Input, 'params'>;
type Taking = {
  [Key in RouteKey]: (typeof routes)[Key] extends { body: unknown } | { query: unknown } ? Key : never;
}[RouteKey];

/** For each route that takes a body or a query, valid ones with all of their fields. */
const FIELDS: Record<Taking, (ids: Ids) => Fields> = {
  'GET /api/reporting/comparisons': () => ({ query: { by: 'conversions' } }),
  'POST /api/login/request': () => ({ body: { email: newAddress() } }),
  'POST /api/login/verify': () => ({ body: { email: newAddress(), code: 'AAAAAA' } }),
  'POST /api/tokens': () => ({ body: { name: `extra_${++owners}`, expiration: 30, scopes: ['read'] } }),
  'GET /api/connections/request': () => ({ query: asking() }),
  'POST /api/connections': () => ({ body: { ...asking(), scopes: ['read'], max_people: 100 } }),
  'GET /api/organizations': () => ({ query: { after: '1' } }),
  'POST /api/organizations': () => ({ body: { name: 'Second depot' } }),
  'PUT /api/organizations/{organization}': () => ({ body: { name: 'Renamed', active: true } }),
  'PUT /api/organizations/{organization}/logo': () => ({ body: { logo: dataUrl(PNG) } }),
  'GET /api/organizations/{organization}/members': () => ({ query: { cursor: '0' } }),
  'POST /api/organizations/{organization}/members': () => ({
    body: { email: newAddress('invited'), role: 'USER' },
  }),
  'PUT /api/organizations/{organization}/members/{member}': () => ({ body: { role: 'ADMIN' } }),
  'POST /api/email-lists': () => ({ body: list('Another') }),
  'PUT /api/email-lists/{list}': () => ({ body: list('Changed') }),
  'PUT /api/email-lists/{list}/logo': () => ({ body: { logo: dataUrl(PNG) } }),
  'PUT /api/look': () => ({ body: { look: LOOK } }),
  'POST /api/layout-check': () => ({ body: { kind: 'html', source: LAYOUT_EXAMPLES.html } }),
  'PUT /api/email-lists/{list}/look': () => ({ body: { look: LOOK } }),
  'POST /api/email-lists/{list}/domain-check': () => ({ body: { dkim: 'k1' } }),
  'PUT /api/email-lists/{list}/mailgun-key': () => ({
    body: {
      mailgun_sending_key: 'key-attacked',
      mailgun_webhook_signing_key: 'signing',
      mailgun_region: 'eu',
    },
  }),
  'POST /api/email-lists/{list}/tracking-domain': () => ({ body: { domain: 'link.example.com' } }),
  'POST /api/email-lists/{list}/unsubscribe-webhooks': () => ({
    body: {
      name: 'Another',
      url: 'https://example.com/hook',
      headers: { 'X-Key': 'value' },
      active: true,
      events: ['unsubscribed', 'bounced'],
    },
  }),
  'PUT /api/email-lists/{list}/unsubscribe-webhooks/{webhook}': () => ({
    body: { name: 'Changed', headers: { Authorization: 'Defined' }, active: true, events: ['complained'] },
  }),
  'GET /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/deliveries': ({ delivery }) => ({
    query: { cursor: delivery, per_page: '10' },
  }),
  'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/redeliver': () => ({
    body: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
  }),
  'POST /api/organizations/{organization}/webhooks': () => ({
    body: {
      name: 'Another',
      url: 'https://example.com/hook',
      headers: { 'X-Key': 'value' },
      active: true,
      events: ['sent', 'opened', 'paused'],
    },
  }),
  'PUT /api/organizations/{organization}/webhooks/{webhook}': () => ({
    body: { name: 'Changed', headers: {}, active: true, events: ['clicked'] },
  }),
  'GET /api/organizations/{organization}/webhooks/{webhook}/deliveries': ({ deliveryOfAll }) => ({
    query: { cursor: deliveryOfAll, per_page: '10' },
  }),
  'POST /api/organizations/{organization}/webhooks/{webhook}/redeliver': () => ({
    body: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
  }),
  'GET /api/email-lists/{list}/members': ({ list }) => ({
    query: {
      page: '1',
      per_page: '10',
      search: 'reader',
      status: 'subscribed',
      sort: 'email',
      direction: 'asc',
      columns: 'note',
      audience: JSON.stringify(audience(list)),
    },
  }),

  'POST /api/email-lists/{list}/imports': () => ({ body: memberFile('more.csv') }),
  'POST /api/email-lists/{list}/imports/dry-run': () => ({
    body: { columns, mode: 'update', as: 'subscribed', from: 1, rows: rows() },
  }),
  'POST /api/email-lists/{list}/imports/forecast': () => ({
    body: { columns, mode: 'update', as: 'subscribed', rows: rows(), of: 5 },
  }),
  'PUT /api/email-lists/{list}/imports/{memberImport}': () => ({ body: { state: 'cancelled' } }),
  'POST /api/email-lists/{list}/imports/{memberImport}/rows': () => ({ body: { from: 1, rows: rows() } }),
  'GET /api/email-lists/{list}/imports/{memberImport}/members': () => ({ query: { cursor: '1.0' } }),
  'GET /api/email-lists/{list}/imports/{memberImport}/errors': () => ({ query: { cursor: '1.0' } }),

  'POST /api/email-lists/{list}/members/actions': ({ listMember }) => ({
    body: { action: 'unsubscribe', ids: [listMember] },
  }),
  'POST /api/list-members': ({ list }) => ({
    body: { email_list_id: list, email: newAddress('added'), is_subscribed: true, metadata: { note: 'x' } },
  }),
  'PUT /api/list-members/{listMember}': () => ({
    body: { is_subscribed: false, metadata: { ends: '2031-01-01' } },
  }),
  'GET /api/list-member-actions': ({ listMember }) => ({ query: { list_member_id: listMember } }),
  'GET /api/email-lists/{list}/export': () => ({}),
  'POST /api/recipients/export': ({ recipient }) => ({ body: { email: recipient } }),
  'POST /api/recipients/erase': ({ recipient }) => ({ body: { email: recipient, confirmation: recipient } }),
  'GET /api/organizations/{organization}/record': ({ automation, member }) => ({
    query: {
      kind: 'automation',
      user: member,
      object: automation,
      from: '2026-01-01',
      to: '2040-01-01',
      per_page: '10',
    },
  }),

  'GET /api/email-assets': ({ automation }) => ({
    query: {
      search: 'a',
      types: 'footer',
      status: 'active',
      automations: automation,
      page: '1',
      per_page: '10',
    },
  }),
  'POST /api/email-assets': ({ automation }) => ({
    body: asset({ name: 'An asset', automation_ids: [automation] }),
  }),
  'POST /api/email-assets-check': ({ automation }) => ({
    body: asset({ value: 'Hello {{note}}', automation_ids: [automation] }),
  }),
  'POST /api/email-asset-sets': ({ automation }) => ({
    body: assetSet({ name: 'A set', preheader: 'Hello {{note}}', automation_ids: [automation] }),
  }),
  'PUT /api/email-assets/{emailAsset}': ({ automation }) => ({
    body: { is_active: false, automation_ids: [automation] },
  }),
  'POST /api/email-assets/{emailAsset}/versions': () => ({ body: { value: 'Written anew' } }),
  'GET /api/email-templates': ({ automation }) => ({
    query: { search: 'a', languages: 'en', automations: automation, page: '1', per_page: '10' },
  }),
  'GET /api/email-templates-summary': () => ({ query: { search: 'a', status: 'active', languages: 'en' } }),
  'POST /api/images': () => ({ body: { image: dataUrl(PNG) } }),
  'POST /api/email-templates': ({ automation }) => ({ body: template({ automation_ids: [automation] }) }),
  'POST /api/email-templates-check': ({ automation }) => ({
    body: template({ subject_line: 'Hello {{note}}', automation_ids: [automation] }),
  }),
  'PUT /api/email-templates/{emailTemplate}': ({ automation }) => ({
    body: { name: 'Renamed', is_active: false, automation_ids: [automation] },
  }),
  'PUT /api/email-templates/{emailTemplate}/automations': ({ automation }) => ({
    body: { automation_ids: [automation] },
  }),
  'POST /api/email-templates/{emailTemplate}/versions': () => ({
    body: template({ subject_line: 'Written anew' }),
  }),
  'PUT /api/email-templates/{emailTemplate}/owner': ({ member }) => ({ body: { user_id: member } }),
  'GET /api/automations': () => ({}),
  'POST /api/audience/count': ({ list }) => ({
    body: { email_list_ids: [list], audience: audience(list), time_zone_of: 'list' },
  }),
  'GET /api/reporting/automations': ({ broadcast }) => ({ query: { automations: broadcast } }),
  'GET /api/broadcasts': () => ({}),
  'POST /api/broadcasts': ({ list, emailTemplate }) => ({
    body: { name: 'The spring sale', email_list_ids: [list], email_template_ids: [emailTemplate] },
  }),
  'PUT /api/broadcasts/{broadcast}': () => ({
    body: { name: 'The summer sale', local_at: '2040-06-01T09:00' },
  }),
  'POST /api/broadcasts/forecast': ({ list }) => ({ body: { name: 'News', email_list_ids: [list] } }),
  'POST /api/automations': ({ list }) => ({ body: automation(list) }),
  'PUT /api/automations/{automation}': ({ list }) => ({ body: { ...automation(list), name: 'renamed' } }),
  'GET /api/sequences': () => ({ query: { page: '1' } }),
  'POST /api/sequences': ({ list }) => ({
    body: { ...sequence(list), steps: [{ name: 'day_3', delay_days: 3 }] },
  }),
  'PUT /api/sequences/{sequence}': ({ list, step }) => ({
    body: {
      ...sequence(list),
      steps: [{ automation_id: step, name: 'day_3', delay_days: 3, delay_minutes: 0, active: true }],
    },
  }),
  'GET /api/automations/{automation}/preview': () => ({ query: { use_templates: 'true' } }),
  'GET /api/automations/{automation}/preview-members': () => ({ query: { search: 'reader' } }),
  'POST /api/automations/{automation}/test-email': () => ({ body: { seed: 'abc', use_templates: true } }),
  'POST /api/test-emails': ({ list, listMember }) => ({
    body: { ...template(), email_list_id: list, member: listMember, metadata: { note: 'x' } },
  }),
  'PUT /api/automations/{automation}/content': ({ emailTemplate, emailAsset }) => ({
    body: { link: [emailAsset], unlink: [emailTemplate] },
  }),

  'GET /api/email-sends': () => ({ query: { page: '1', per_page: '25', status: 'unknown' } }),
  'GET /api/email-sends/skipped': ({ broadcast }) => ({
    query: { automations: broadcast, from: '2030-01-01' },
  }),
  'GET /api/reporting/combinations': () => ({
    query: { start_date: '2030-01-01', end_date: '2030-01-30', sort_by: 'click_rate', sort_direction: 'asc' },
  }),
  'GET /api/reporting/days': () => ({ query: { start_date: '2030-01-01', end_date: '2030-01-31' } }),
  'GET /api/reporting/combinations/{combination}': () => ({
    query: { start_date: '2030-01-01', end_date: '2030-01-30', type: 'template' },
  }),
  'PUT /api/first-steps': () => ({ body: { dismissed: true } }),
  'GET /api/reporting/automations/{automation}': () => ({
    query: { start_date: '2030-01-01', end_date: '2030-01-30' },
  }),
  'GET /api/reporting/automations/{automation}/shares': () => ({
    query: { start_date: '2030-01-01', end_date: '2030-01-30' },
  }),
  'POST /api/automations/dry-run': ({ list }) => ({ body: automation(list) }),
  'POST /api/automations/forecast': ({ list, automation: id }) => ({
    query: { automation: id },
    body: automation(list),
  }),
  'PUT /api/automations/{automation}/dry-run': ({ list }) => ({ body: automation(list) }),
  'POST /api/sequences/dry-run': ({ list }) => ({ body: { ...sequence(list), steps: [{ delay_days: 3 }] } }),
  'PUT /api/sequences/{sequence}/dry-run': ({ list }) => ({ body: sequence(list) }),
  'PUT /api/automations/{automation}/content/dry-run': ({ emailAsset, emailTemplate }) => ({
    body: { link: [emailAsset], unlink: [emailTemplate] },
  }),
  'POST /api/plans': ({ automation }) => ({
    body: { automations: [{ id: automation, delay_days: 3649 }], sending_hours: { quiet_hours: [] } },
  }),
  'POST /api/plans/{hash}/apply': () => ({ body: { max_people: 100 } }),
  'PUT /api/safeguards/dry-run': () => ({ body: { enabled: false } }),
  'PUT /api/organizations/{organization}/dry-run': () => ({ body: { active: false } }),
  'PUT /api/email-lists/{list}/dry-run': () => ({ body: list('Changed') }),
  'PUT /api/email-lists/{list}/mailgun-key/dry-run': () => ({ body: { mailgun_sending_key: null } }),
  'POST /api/content-links/dry-run': ({ automation, emailTemplate }) => ({
    body: { id: emailTemplate, is_active: true, automation_ids: [automation] },
  }),

  'PUT /api/sending-hours/dry-run': () => ({ body: { quiet_hours: [{ from: '22:00', until: '08:00' }] } }),
  'GET /api/safeguards/estimate': () => ({ query: { max_emails_1_week: '4' } }),
  'PUT /api/holdout/dry-run': () => ({ body: { percent: 10 } }),
  'PUT /api/holdout': () => ({ body: { percent: 10 } }),
  'PUT /api/sending-hours': () => ({ body: { time_zone: 'Europe/Berlin' } }),
  'PUT /api/safeguards': () => ({
    body: {
      enabled: false,
      max_emails_5_minutes: 2,
      max_emails_1_hour: 3,
      max_emails_24_hours: 4,
      max_emails_1_week: 8,
    },
  }),

  'POST /api/v1/email-lists/{list}/members': () => ({
    body: { members: [{ email: newAddress('sent'), is_subscribed: true, plan: 'gold' }] },
  }),
  'POST /api/v1/events': ({ list }) => ({
    body: {
      events: [
        {
          event: 'ordered',
          email: newAddress('event'),
          email_list_id: list,
          properties: { note: 'x' },
          idempotency_key: 'order-1',
          create: true,
        },
      ],
    },
  }),
  'POST /api/v1/value': ({ emailTemplate }) => ({
    body: { emailTemplateCombinationId: emailTemplate, eventId: newAddress('order'), value: 12.5 },
  }),
};

/** What a path names by another word than `Belongings`. */
const NAMED: Partial<Record<RouteKey, keyof Ids>> = {
  'DELETE /api/user/sessions/{id}': 'session',
  'GET /api/invitations/validate/{token}': 'invitationToken',
  'POST /api/invitations/accept/{token}': 'invitationToken',
  'POST /api/invitations/reject/{token}': 'invitationToken',
  'DELETE /api/tokens/{id}': 'tokenName',
  'GET /api/reporting/combinations/{combination}': 'emailTemplate',
};

/** By what the webhooks of an organization go, and their deliveries. */
const OF_ALL: Record<string, keyof Ids> = { webhook: 'webhookOfAll', delivery: 'deliveryOfAll' };

/** For each route, a valid request with all of its fields. */
export const VALID = Object.fromEntries(
  (Object.keys(routes) as RouteKey[]).map(key => [
    key,
    (ids: Ids): Input => {
      const names = [...key.matchAll(/{(\w+)}/g)].map(([, name = '']) => name);
      const named = (name: string) =>
        NAMED[key] ?? ((key.includes('{organization}/webhooks') && OF_ALL[name]) || (name as keyof Ids));
      const params = Object.fromEntries(names.map(name => [name, ids[named(name)]]));
      return { params, ...(FIELDS as Partial<Record<RouteKey, (ids: Ids) => Fields>>)[key]?.(ids) };
    },
  ]),
) as Record<RouteKey, (ids: Ids) => Input>;

export const credentialFor = (key: RouteKey, { owner, apiToken }: Belongings) =>
  key.includes(' /api/v1/') ? apiToken : owner.token;
export const mutates = (key: RouteKey) => !key.startsWith('GET ');
