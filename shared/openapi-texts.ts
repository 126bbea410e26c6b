import { OPERATORS } from './audience.ts';
import { BUDGETS, budgetText } from './budgets.ts';
import { LAYOUT_EXAMPLES } from './layout-examples.ts';
import { PROGRAM_RATE } from './limits.ts';
import { DEFAULT_PROVIDER, PROVIDERS } from './providers.ts';
import { MOST_BODY_BYTES } from './route.ts';
import { SCOPE_TEXTS } from './scope-texts.ts';
import { SCOPE_NAMES } from './token.ts';

/** JSON Schema of a field where zod has none, with a description and an example. */
export type FieldText = { description: string; examples?: [unknown]; [keyword: string]: unknown };

const field = (description: string, example?: unknown, more: Record<string, unknown> = {}): FieldText => ({
  description,
  ...(example !== undefined && { examples: [example] }),
  ...more,
});

/** A PNG of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const INSTANT = '2026-03-02T09:30:00Z';
const DAY = '2026-03-02';
const COPY = (occurrence: string, copies: string) =>
  field(`Whether the ${occurrence} email goes ${copies}, hours apart`, false);

const LAYOUT_SOURCE = field(
  'The source, in which {{preheader}}, {{pre_cta_content}}, {{cta}}, {{after_cta_content}} and {{footer}} stand once each',
  LAYOUT_EXAMPLES.mjml,
);
const LAYOUT_HTML = field('What is sent, with markers for the parts and for addresses');

const METADATA = {
  type: 'object',
  additionalProperties: {
    type: ['string', 'number', 'boolean', 'null'],
    description: 'Text, a number, a boolean or a date',
  },
};

const STEP = {
  type: 'object',
  examples: [{ delay_days: 3 }],
  properties: {
    automation_id: { type: 'string' },
    name: { type: 'string' },
    delay_days: { type: 'integer' },
    delay_minutes: { type: 'integer' },
    active: { type: 'boolean' },
  },
};

const STEPS = field(
  'All steps, each later than the one before, at most 20. In a call those with their `automation_id` are kept, with what is left out of them; the others are new; a step that is not in it is deleted with its automation',
  undefined,
  { items: STEP },
);

const LOOK = {
  accent: '#1d4ed8',
  shape: 'pill',
  links: [{ label: 'Shop', url: 'https://shop.example.com/' }],
};

const RULE = {
  type: 'object',
  properties: { field: { type: 'string' }, op: { enum: Object.keys(OPERATORS) }, value: {} },
  required: ['field', 'op'],
};
const groupOf = (items: object) => ({
  type: 'object',
  properties: { all: { type: 'array', items }, any: { type: 'array', items } },
});
const AUDIENCE = { anyOf: [groupOf({ anyOf: [RULE, groupOf(RULE)] }), { type: 'null' }] };

/** By name; by `<operation>.<name>` or `<group>.<name>` if one differs. Apart from the schemas, which pages load. */
export const FIELD_TEXTS: Record<string, FieldText> = {
  // Paths
  'path.organization': field('The id of an organization', '1'),
  'path.member': field('The id of a user who is a member of the organization'),
  'path.token': field('The token of the invitation: its id, or the secret in the link of the mail'),
  'deleteToken.path.id': field('The id of an API token', 'TOKEN_ID'),
  'endSession.path.id': field('The id of a session', 'SESSION_ID'),
  'path.combination': field(
    'The id of a template, or of a combination of assets: the column ID in Reporting',
  ),
  'path.emailSend': field('The id of an email in the sending log'),
  'path.listMemberAction': field('The id of an action of the type email_sent'),

  // Any group
  id: field('The id', 'ID'),
  name: field('The name', 'Customers'),
  active: field('Whether it is switched on', true),
  is_active: field('Whether it may be sent', true),
  created_at: field('When it was created', INSTANT),
  updated_at: field('When it was last changed', INSTANT),
  expires_at: field('When it expires; null is never', INSTANT),
  last_used_at: field('When it was last used; null where it was not', INSTANT),
  message: field('A sentence for people'),
  errors: field('The texts for each field that is not valid', { email: ['Enter a valid email address'] }),
  warnings: field('The texts for each field that was stored in another way than you may expect', {
    signed_up_at: ['This is text, not a date'],
  }),
  success: field('Whether it was done', true),

  // The caller
  'getMe.organization': field('The organization that the call is about'),
  'organization.id': field('The number of the organization', 1),
  limits: field('The limits of calls with API tokens'),
  'limits.calls': field('How many calls an organization may make in `seconds`', PROGRAM_RATE.most),
  'limits.seconds': field('The length of a window in which calls are counted', PROGRAM_RATE.seconds),
  'limits.body_bytes': field('How large a body may be, unless a call says otherwise', MOST_BODY_BYTES),
  'limits.rows': field('How many members or events a call may send', 100),

  // Pages
  page: field('The number of the page, from 1', 1),
  per_page: field('How many rows a page has', 25),
  search: field('Finds what contains this text'),
  cursor: field('Where the page begins: the `next_cursor` of the answer before'),
  after: field('Where the page begins: the last id, or `next`, of the answer before'),
  sort: field('What the rows are sorted by'),
  direction: field('The direction of the sort'),
  columns: field('Keys of metadata, separated by commas, whose values the rows contain'),
  data: field('The rows of the page'),
  total: field('How many there are', 1),
  found: field('How many the search and the filters find; null where that is not known'),
  current_page: field('The number of this page', 1),
  last_page: field('The number of the last page', 1),
  next_cursor: field('Send it as `cursor` for the next page; null on the last one', null),
  previous_cursor: field('Send it as `cursor` for the page before; null on the first one', null),
  searched: field('How much has been read for the search; null without one', null),

  // Sign-in, users and organizations
  email: field('An email address', 'ada@example.com'),
  code: field('The code in the mail, which is valid for 10 minutes', 'ABC234'),
  'createToken.name': field('The name of the token: letters, digits and underscores', 'import'),
  expiration: field('Days until the token expires; null is never', 90),
  scopes: field(
    'What the token is for. Without it, and for tokens from before there were scopes: `legacy`, which lists lists and sends members, events and values',
    ['read', 'contacts'],
    { items: { enum: SCOPE_NAMES } },
  ),
  'createToken.token': field('The value of the token, which is answered only here', 'lf_…'),
  'verifyLoginCode.token': field('The token of the session'),
  'organization.name': field('The name of the organization', 'The shop'),
  'organization.active': field('Whether the organization sends emails', true),
  'organization.logo': field('An image as a data URL; null removes it', null),
  role: field('The role in the organization; a VIEWER changes nothing', 'USER'),
  logo: field('The image, or where it is served; null without one', null),
  'setEmailListLogo.logo': field('A JPEG or PNG image as a data URL; null removes it', null),
  is_default: field('Whether calls without X-Active-Organization are about this organization', true),
  'inviteMember.email': field('Whom to invite', 'grace@example.com'),
  user_id: field('The id of a member of the organization', '7d0c3a52-5b1e-4c1f-9a57-2f8f0f6f5f10'),

  // Images
  image: field(
    'A JPEG, PNG, GIF or WebP as a data URL, of at most 2 MB and 4,096 pixels a side; where a photo was taken is removed',
    `data:image/png;base64,${PIXEL}`,
  ),
  'uploadImage.url': field(
    'Write it into Markdown with a description and a width in pixels: ![Our shop](/files/1/….png "520")',
  ),
  'uploadImage.bytes': field('The size of the stored file'),

  // Lists
  public_name: field(
    'What recipients read as the name of the list; null where that is the name of the sender',
    null,
  ),
  domain: field('The domain that the list sends from', 'example.com'),
  sender_name: field('The name that emails come from', 'The shop'),
  sender_address: field('The address that emails come from, of the domain of the list', 'hello@example.com'),
  unsubscribe_text: field('The word of the unsubscribe link, in one of the offered languages', 'Unsubscribe'),
  reply_to: field(
    'Where answers go; null: to the sender. That of an automation stands before that of its list',
    null,
  ),
  provider: field(`What takes the emails of the list: ${PROVIDERS.join(' or ')}`, DEFAULT_PROVIDER),
  second_provider: field(
    'Takes what the first one certainly did not send, as it throttles for long, denies, or cannot be reached; null: none',
    null,
  ),
  warm_up: field(
    '`on`: the list begins with 100 emails a day, and sends three times as many after each day of use. The owner alone ends it early',
    'off',
  ),
  warm_up_progress: field('How far the warm-up of a list is; null without one', null),
  time_zone: field('An IANA time zone such as Europe/Berlin', 'Europe/Berlin'),
  'list.time_zone': field('An IANA time zone such as Europe/Berlin; null: that of the organization', null),
  mailgun_sending_key: field(
    '`Defined` where a key is set. Written: a key, null to remove it, `Defined` to leave it',
    'Defined',
  ),
  mailgun_webhook_signing_key: field(
    'With which the events of the provider are signed; written and read like the sending key',
    'Defined',
  ),
  mailgun_region: field('The region of the account at the provider', 'us'),
  mailgun_connection_status: field('Whether the sending key works'),
  provider_events_url: field('Where the provider posts what happens to emails'),
  members_count: field('How many members the list has', 2),
  total_members: field('How many members the list has', 2),
  subscribed_members: field('How many of them get emails', 2),
  unsubscribed_members: field('How many of them get none', 0),
  'v1.id': field('The id of the list, for the path of other calls', 'LIST_ID'),
  'v1.name': field('The name of the list, which no recipient sees', 'Customers'),
  'v1.active': field('Whether the list sends emails', true),

  // How emails look
  look: field('The design of its own; null without one', LOOK),
  inherited: field(
    'The design of the organization, for lists without one of their own; null without one',
    LOOK,
  ),
  accent: field(
    'The color of the button, and of links where it can be read; the text of the button must be readable on it',
    '#1d4ed8',
  ),
  button_text: field('Whether the text of the button is light or dark', 'light'),
  shape: field('The corners of the button', 'rounded'),
  button_align: field('Where the button is; start is the side on which lines begin', 'center'),
  font: field('The font of the whole email, one that computers and phones have', 'system'),
  frame: field('Whether the email is a card on a page, or has no frame', 'card'),
  logo_align: field('Where the logo of the list is; none shows no logo', 'start'),
  logo_height: field('The height of the logo in pixels, 16 to 120', 40),
  'look.address': field(
    'The postal address in the footer, at most 6 lines',
    'Post office\nStation Road 7\nDublin',
  ),
  'inherited.address': field('The postal address in the footer', 'Post office\nStation Road 7\nDublin'),
  links: field('The links in the footer, at most 6', LOOK.links),
  label: field('What the link says', 'Shop'),
  layout: field('HTML or MJML in place of the standard layout; null, or left out, for that one'),
  'layout.kind': field('What the source is written in', 'mjml'),
  'layout.source': LAYOUT_SOURCE,
  'layout.html': LAYOUT_HTML,
  'checkLayout.kind': field('What the source is written in', 'mjml'),
  'checkLayout.source': LAYOUT_SOURCE,
  'checkLayout.html': LAYOUT_HTML,

  // Webhooks
  'unsubscribe-webhook.name': field('The name of the webhook', 'CRM'),
  url: field('The address, which is public and begins with https:// or http://', 'https://example.com/hooks'),
  headers: field('Headers that are sent along, by their names; `Defined` leaves a value as it is', {}),
  events: field('What is sent'),
  'redeliverFailedDeliveries.from': field('The beginning of the span', '2026-03-01T00:00:00Z'),
  'redeliverFailedDeliveries.to': field('The end of the span', INSTANT),
  secret: field('With which deliveries are signed; answered only here', 'whsec_…'),
  parsed_headers: field('The names of the headers that are sent along, each with `Defined`', {}),
  last_triggered_at: field('When something was last sent, to the minute; null where nothing was', INSTANT),
  failing_since: field('Since when no delivery has succeeded; null where the last one has', null),
  switched_off: field('When and why the product deactivated it; null where it did not', null),
  'unsubscribe-webhook.at': field('When it happened'),
  'unsubscribe-webhook.because': field(
    '`gone`: the endpoint answered 410; `failing`: it failed for five days',
    'failing',
  ),
  old_secret_until: field('Until when deliveries are signed with the secret before this one too', null),
  deliveries: field('What was sent, newest first'),
  'unsubscribe-webhook.state': field('What became of it', 'delivered'),
  'unsubscribe-webhook.event': field('What happened to the member', 'unsubscribed'),
  'unsubscribe-webhook.attempt': field('How many attempts were made', 1),
  attempted_at: field('When the last attempt was made', INSTANT),
  next_attempt_at: field('When it is tried again; null where it is not', null),
  status_code: field('What the endpoint answered; null where it did not', 200),
  duration_ms: field('How long it took to answer, in milliseconds', 120),
  'unsubscribe-webhook.error': field('Why an attempt failed', null),
  redelivered: field('How many are delivered again', 3),
  'redeliverFailedDeliveries.cursor': field('The `next_cursor` of the answer before'),
  'redeliverFailedDeliveries.next_cursor': field(
    'Send it as `cursor` with the same span for the next part; null after the last one',
    null,
  ),

  // Data that is stored about a person
  'erasure.erased_at': field('When the person was erased; null where they were not, or not yet', null),
  'erasure.complete': field('False where there was no time for all of it: the same call goes on', true),
  'erasure.what': field('What was done', 'erased'),
  'erasure.recipient': field('The first 128 bits of the SHA-256 of the address, in base64url'),
  'export.memberships': field('The lists that they are in'),
  'export.former_memberships': field('The lists that they were in'),
  'export.list_id': field('The id of the list', 'LIST_ID'),
  'export.list_name': field('The name of the list; null where it is deleted', 'Customers'),
  'export.changed_by': field('Where the last change of the subscription came from'),
  'export.was_unsubscribed': field('Whether they had unsubscribed before they left', false),
  'export.left_at': field('When they left', INSTANT),
  'export.journal': field('What happened to them, newest first'),
  'export.emails': field('What was sent to them, newest first'),
  'export.clicks': field('The first click of each link of these emails'),
  'export.number': field('The number of an entry or an email, of the person', 1),
  'export.since': field('Since when they were a member', INSTANT),
  'export.happened': field('When it was opened, clicked and so on, and what the provider said of it'),
  confirmation: field('The same address once more', 'ada@example.com'),

  // Members of lists
  'upsertListMembers.members': field('The members, each an object of its own', undefined, {
    items: {
      type: 'object',
      properties: {
        email: {
          type: 'string',
          maxLength: 254,
          description: 'The email address, by which a member is found again',
        },
        is_subscribed: {
          type: 'boolean',
          default: true,
          description:
            'False unsubscribes. True subscribes a new member alone: who has unsubscribed stays unsubscribed',
        },
      },
      required: ['email'],
      additionalProperties: {
        type: ['string', 'number', 'boolean', 'null'],
        description: 'Any other field is metadata: text, a number, a boolean or a date. Null removes it',
      },
    },
    examples: [
      [
        { email: 'ada@example.com', is_subscribed: true, first_name: 'Ada', signed_up_at: '2026-03-01' },
        { email: 'grace@example.com', plan: 'team', last_order_at: INSTANT },
      ],
    ],
  }),
  'postEvents.events': field('The events, each an object of its own', undefined, {
    items: {
      type: 'object',
      properties: {
        event: {
          type: 'string',
          maxLength: 64,
          description:
            'The name of the event, of letters, digits, spaces, dots, hyphens and underscores. The date of the event is metadata of this name',
        },
        email: {
          type: 'string',
          maxLength: 254,
          description: 'The email address of the person: of a member, unless `create` is sent',
        },
        email_list_id: {
          type: 'string',
          description:
            'The id of a list. Without one, the event is stored for all lists that the person is in',
        },
        at: {
          type: 'string',
          format: 'date-time',
          description:
            'When it happened, at most a year ago and a day ahead; in UTC where no offset is given. Without it, now, which is right where your program sends the event as it happens. Of an event that is more than an hour old, an email that was due by now is not sent: `warnings` of the result says so',
        },
        properties: {
          ...METADATA,
          description: 'Metadata to set together with the event. Null removes a key, others stay',
        },
        idempotency_key: {
          type: 'string',
          maxLength: 200,
          description: 'A text of your choice: the same one of the same person is stored once within a day',
        },
        create: {
          type: 'boolean',
          default: false,
          description: 'Whether to add who is unknown to the list, which is required then',
        },
      },
      required: ['event', 'email'],
    },
    examples: [
      [
        {
          event: 'ordered',
          email: 'ada@example.com',
          properties: { last_order: 'A-1001', total: 49.9 },
          idempotency_key: 'order-A-1001',
        },
        { event: 'trial_started', email: 'grace@example.com' },
      ],
    ],
  }),
  'postEvents.results': field('What became of each event, in the order in which they were sent', [
    { index: 0, status: 'stored' },
    { index: 1, status: 'unknown' },
  ]),
  'postEvents.index': field('The place of the event in the call, from 0', 0),
  'postEvents.status': field(
    '`unchanged`: an event of this name that is as new or newer is stored, or the key came within a day. `unknown`: nobody has this address, or nobody on this list: with `create` and a list they are added. `rejected` was not stored: `errors` says why',
    'stored',
  ),
  'listEvents.event': field('The name of the event', 'ordered'),
  last_at: field('When it came last, to the minute', INSTANT),
  action: field('What becomes of the members', 'unsubscribe'),
  ids: field('The ids of members of the list', ['LIST_ID-abcdefghijklmnopqrstuv']),
  'changeListMembers.results': field('What became of each member, once for each id', [
    { id: 'LIST_ID-abcdefghijklmnopqrstuv', status: 'changed' },
  ]),
  'changeListMembers.status': field(
    '`unchanged` was so before, `rejected` may not be done, `failed` may be repeated',
    'changed',
  ),
  'upsertListMembers.results': field('What became of each member, in the order in which they were sent', [
    { index: 0, email: 'ada@example.com', status: 'created' },
    { index: 1, email: 'grace', status: 'rejected', errors: { email: ['Enter a valid email address'] } },
  ]),
  index: field('The place of the member in the call, from 0', 0),
  'upsertListMembers.email': field('The address as it is stored', 'ada@example.com'),
  'upsertListMembers.status': field(
    '`rejected` was not stored: `errors` says why. `unchanged` was stored like this before',
    'created',
  ),
  email_list_id: field('The id of the list', 'LIST_ID'),
  email_list: field('The list'),
  is_subscribed: field('Whether they get the emails of the list', true),
  'createListMember.metadata': field(
    'Keys and values of your own',
    { plan: 'team', signed_up_at: '2026-03-01' },
    METADATA,
  ),
  'updateListMember.metadata': field(
    'The keys to set; null removes one, others stay',
    { plan: 'pro' },
    METADATA,
  ),
  metadata: field('Keys and values of your own'),
  metadata_json: field('The metadata as JSON text', '{"plan":"team"}'),
  key: field('The key', 'plan'),
  suppression: field('Why they may not be mailed any more; null where they may', null),
  was_subscribed: field('Whether they were subscribed before this change', true),
  list_member_id: field('The id of the list member', 'LIST_MEMBER_ID'),

  // Imports
  file_name: field('The name of the file', 'customers.csv'),
  size: field('The size of the file, in bytes', 2048),
  fingerprint: field(
    'By which the file is known when the import goes on: SHA-256 of the SHA-256 of each 4 MB, as hexadecimal digits',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
  total_rows: field('How many rows the file has', 2),
  position: field('The place of the column in the file, from 0', 0),
  'columns.name': field('The name of the column', 'Email'),
  'columns.to': field('What the column is imported as', 'email'),
  'columns.key': field('Of a column of metadata, the key that its values get', 'plan'),
  dates: field('In which order dates were written that are not ISO 8601'),
  mode: field('What becomes of people who are members already'),
  as: field('As what people are imported of whom no column says it'),
  consent: field('How these people agreed to get emails', { source: 'Sign-up form', date: '2026-03-01' }),
  'consent.source': field('Where they agreed', 'Sign-up form'),
  'consent.date': field('When they agreed, where it was on one day', '2026-03-01'),
  rows: field(
    'The cells of each row, in the order of the columns; `twice` where its address is in an earlier row',
  ),
  'member-import.columns': field('The columns that are imported'),
  'import.columns': field('The columns that are imported'),
  'importRows.from': field('The number of the first of these rows; the first one after the header is 1', 1),
  'tryImportRows.from': field(
    'The number of the first of these rows; the first one after the header is 1',
    1,
  ),
  'member-import.state': field('How far it is: `running` until all rows are stored'),
  'import.state': field('How far it is: `running` until all rows are stored'),
  'cancelImport.state': field('`cancelled` ends it; what is stored stays'),
  done_rows: field(
    'How many rows from the first on are stored or refused: the next call begins after them',
    2,
  ),
  counts: field('What became of the rows so far'),
  'counts.created': field('How many new members there are', 1),
  'counts.updated': field('How many members were changed', 0),
  'counts.unchanged': field('How many members were like this before', 0),
  'counts.skipped': field('How many were members already, and were left as they are', 0),
  'counts.rejected': field('How many rows were not stored', 1),
  'counts.stays_unsubscribed': field(
    'Of all of these, how many are not subscribed again, as they unsubscribed, complained or bounced',
    0,
  ),
  start_nothing: field(
    'True: of the members that it adds, automations mail only those whose date is later than the import; yearly ones begin at the next anniversary',
    false,
  ),
  'forecastImport.of': field(
    'How many rows of the file add or change members; more than the rows of the call are estimated',
    2,
  ),
  'forecastImport.next_24_hours': field('How many emails follow within 24 hours', 2),
  'forecastImport.next_30_days': field('How many emails follow in the next 30 days', 60),
  'forecastImport.automations': field('The automations that send them, the most emails first'),
  'forecastImport.sampled': field('How the numbers were estimated; null if everybody was looked at', null),
  'automations.next_24_hours': field('How many of them it sends within 24 hours', 2),
  'automations.next_30_days': field('How many of them it sends in the next 30 days', 60),
  'sampled.people': field('How many people were looked at', 500),
  'sampled.of': field('How many people there are', 2_000),
  'sampled.margin': field('By how many emails the number of the 30 days may differ', 90),
  undo: field('What undoing it has done so far; null where it is not undone', null),
  'undo.removed': field('How many members were removed', 1),
  'undo.mailed': field('How many of the removed members had been mailed', 0),
  'undo.stay_changed': field('How many stay, as they were changed since, or another import has them too', 0),
  'undo.rows_left': field('How many rows are left to look at', 0),
  'importRows.import': field('The import as it is now'),
  results: field('What became of each row, in the order of the rows', [
    { row: 1, status: 'created' },
    { row: 2, status: 'rejected', errors: [{ column: 'Email', reason: 'Enter a valid email address' }] },
  ]),
  'results.row': field('The number of the row', 1),
  'results.status': field('`rejected` is not stored: `errors` says why', 'created'),
  'results.stays_unsubscribed': field(
    'They are not subscribed again, as they unsubscribed, complained or bounced',
    true,
  ),
  'results.errors': field('Why the row is not stored'),
  'errors.column': field('The name of the column; empty where it is about the whole row', 'Email'),
  'errors.reason': field('What is wrong', 'Enter a valid email address'),
  'listImportErrors.row': field('The number of the row', 2),
  'listImportErrors.column': field('The name of the column; empty where it is about the whole row', 'Email'),
  'listImportErrors.reason': field('What is wrong', 'Enter a valid email address'),

  // Content
  'email-asset.name': field('The name of the asset', 'Spring greeting'),
  'email-asset.type': field('Which piece of an email it is', 'subject_line'),
  'email-asset.value': field(
    'The text, which may contain placeholders such as {{first_name}}',
    'Spring is here',
  ),
  'createEmailAssetSet.name': field('The name of each of the assets', 'Spring'),
  created: field('The assets that were created'),
  asset_ids: field('The assets that it consists of, by their type'),
  asset_names: field('What the assets are called that have a name'),
  existing: field(
    'The assets of the same type and content that were there already: they are linked too, and not changed otherwise',
  ),
  'email-template.name': field('The name of the template', 'Spring'),
  type: field('The type'),
  value: field('The value'),
  automations: field('The automations that it is linked to'),
  'listEmailAssets.automations': field('Ids of automations, separated by commas', 'AUTOMATION_ID'),
  'listEmailTemplates.automations': field('Ids of automations, separated by commas', 'AUTOMATION_ID'),
  'summarizeEmailTemplates.automations': field('Ids of automations, separated by commas', 'AUTOMATION_ID'),
  types: field('Types of assets, separated by commas', 'subject_line,footer'),
  languages: field('Codes of languages, separated by commas', 'en,de'),
  automation_ids: field('The automations that may send it', []),
  subject_line: field('The subject', 'Spring is here'),
  preheader: field('What mail programs show beside the subject', 'New for you'),
  pre_cta_content: field('The text above the button, in Markdown', 'Hello {{first_name}}'),
  cta_text: field('The text of the button', 'Have a look'),
  cta_url: field('Where the button leads', 'https://example.com/spring'),
  after_cta_content: field('The text below the button, in Markdown', 'See you'),
  footer: field('The text at the end, in Markdown, with the unsubscribe link', '{{UNSUB_LINK}}'),
  language_code: field('The language of the template', 'en'),
  excerpt: field('The beginning of the text'),
  can_edit: field('Whether the caller may change it', true),
  is_editable: field('Whether it may be changed', true),
  'tryLinkContent.body': field('', { kind: 'template', is_active: true, automation_ids: ['4k7m2p9q1r5t'] }),
  kind: field('Whether it is a template or an asset'),
  kinds: field('The kinds of content that is created together', ['subject_line', 'footer']),
  link: field('What to link to the automation'),
  unlink: field('What to take away from the automation'),

  // Automations
  'automation.name': field('The name of the automation, without spaces', 'trial_ends'),
  'dry-run.name': field('The name', 'trial_ends'),
  sequence_id: field(
    'The sequence that it is a step of, which has its schedule and switches it; null for others',
  ),
  'sequence.name': field('The name of the sequence', 'Onboarding'),
  'sequence.active': field('Whether it is switched on; a new one is not, unless you say so', false),
  'sequence.steps': STEPS,
  'dry-run.steps': STEPS,
  revision: field(
    'Another one after each change. Send the one that you read, and your change is refused (409) where somebody else has made one since: no step is deleted that you have not seen, no broadcast sent to others',
  ),
  automation_id: field('The automation that is the step; content is linked to it'),
  'steps.name': field('The name of the automation; without one it gets a name', 'onboarding_1'),
  'countSequencePeople.steps': field('Its steps in their order, each with the people who wait for it'),
  'steps.people': field(
    'How many subscribed people who match get this step next: of a sequence that is off, if it were activated now',
    120,
  ),
  'steps.active': field('Whether it is to be active while the sequence is', true),
  repeat: field(
    'Every `every_x_days` days, once, or each year on the anniversary of the trigger (of 29 February, on the 28th in other years). `once` is once per date: a trigger on another day starts it anew, and an email that still waits by the old date is dropped',
    'days',
  ),
  every_x_days: field('Every how many days a member gets an email; only if `repeat` is `days`', 7),
  delay_days: field(
    'How many days after the trigger the first email goes; if `repeat` is `yearly`, how many days after the anniversary, and −3 is three days before it, and before the trigger itself',
    1,
  ),
  delay_minutes: field('Minutes that are added to the days of the delay; 0 with a time of day', 0),
  stop_after_days: field(
    'How many days after the trigger the last email goes; null is never. Only if `repeat` is `days`',
    30,
  ),
  metadata_trigger: field(
    'The key of metadata whose date starts the automation, or the name of the event; null starts it when the member is added',
    null,
  ),
  starts_at: field(
    'What starts it: `added` (when the member is added), `date` (a date in their metadata) or `event` (the key is the name of an event, which no member need have yet). Without it, what `metadata_trigger` says. Within a day a person gets one email of it, however many events',
    'added',
  ),
  email_list_ids: field('The ids of the lists whose members get the emails', ['4k7m2p9q1r5t']),
  email_lists: field('The lists whose members get the emails'),
  paused: field('Why nothing is sent to the list now; absent if emails are sent', 'inactive'),
  'email_lists.name': field('The name of the list', 'Customers'),
  'email_list.name': field('The name of the list', 'Customers'),
  'broadcast.name': field('Any text', 'The spring sale'),
  'broadcast.status': field(
    'Of a draft or a stopped one, `scheduled` sends it, or sends it to the rest; `cancelled` ends it. An answer also says `sending`, `sent` and `stopped`',
    'draft',
  ),
  'broadcast.at': field(
    'When it goes; null if it goes at a local time. Without either it goes when it is scheduled. Only who was on the lists before gets it',
    null,
  ),
  local_at: field(
    'The time at which it goes in the time zone of each member; it must lie ahead in every time zone',
    '2040-12-01T09:00',
  ),
  email_template_ids: field('The templates that it chooses from', ['4k7m2p9q1r5t']),
  email_asset_ids: field('The assets that it combines', []),
  started_at: field('When it began; null while it has not', null),
  ended_at: field('When all of its people were queued, or it was cancelled', null),
  'broadcast.stopped': field('Why it ended before everybody got it; null if it did not', null),
  'stopped.reason': field('Why nobody else could be mailed', 'list_off'),
  'stopped.at': field('When it was stopped', INSTANT),
  'forecastBroadcast.people': field(
    'How many people are subscribed to one of its lists: those below, those who have it, and those who were added later',
    100,
  ),
  'forecastBroadcast.emails': field('How many of them get it; of a stopped one, how many are left', 90),
  'forecastBroadcast.no_match': field('How many of them do not match its conditions', 8),
  'forecastBroadcast.not_sent': field('How many of them would not get it, by reason', { no_content: 2 }),
  'forecastBroadcast.not_subscribed': field('How many members of its lists may not be mailed', 5),
  'forecastNewBroadcast.people': field('How many people are subscribed to one of its lists', 100),
  'forecastNewBroadcast.emails': field('How many of them get it', 90),
  'forecastNewBroadcast.no_match': field('How many of them do not match its conditions', 8),
  'forecastNewBroadcast.not_sent': field('How many of them would not get it, by reason', { no_content: 2 }),
  'forecastNewBroadcast.not_subscribed': field('How many members of its lists may not be mailed', 5),
  include_existing: field(
    'Whether members also get their first email whose first email would have been due before. Only in the call that activates it, or adds a list while it is active; it is not stored. In a sequence the other steps follow by their delays from then',
    false,
  ),
  mails_existing: field(
    'True while people are mailed whom `include_existing` has included; only where one automation or sequence is answered',
    true,
  ),
  'dry-run.existing': field(
    'How many people `include_existing` mails, whose first email would have been due before',
    0,
  ),
  double_send_first: COPY('first', 'twice'),
  triple_send_first: COPY('first', 'three times'),
  double_send_second: COPY('second', 'twice'),
  triple_send_second: COPY('second', 'three times'),
  double_send_third: COPY('third', 'twice'),
  triple_send_third: COPY('third', 'three times'),
  send_at: field('The time of day, as 09:00; null: that of the trigger', null),
  time_zone_of: field('Whose time zone the time of day is in', 'organization'),
  days_off: field('Days of the week on which nothing is sent', []),
  dates_off: field('Dates on which nothing is sent', []),
  audience: field(
    'Who gets the emails, decided anew for each: null is everybody, else rules of which all or any must hold. A rule has a field (a key of metadata, @added, @email or @list), an operator and, unless that is set or not_set, a value; before and after take a date, {"days_ago": n} or {"days_ahead": n}. Rules may be grouped once more, and there are at most 20, of 8 KB',
    { all: [{ field: 'plan', op: 'is', value: 'pro' }] },
    AUDIENCE,
  ),
  'listListMembers.audience': field(
    `Finds the members who match conditions today: the \`audience\` of an automation, as JSON. ${budgetText(BUDGETS.filters)} Each list that the conditions name counts as another page`,
    '{"all":[{"field":"plan","op":"is","value":"pro"}]}',
  ),
  matching: field('How many people match', 40),
  'countAudience.of': field('How many people are subscribed to one of the lists', 100),
  'countAudience.sampled': field('How many people were read for an estimate; null if all of them', null),
  use_templates: field('False: assets, also where there are templates'),
  member: field('The id of the list member whom it is written to', 'LIST_MEMBER_ID'),
  seed: field('The `seed` of a preview: the same one is sent', '4k7m2p'),

  // Safeguards and sending hours
  enabled: field('Whether the limits hold', true),
  max_emails_5_minutes: field('How many emails one person may get within 5 minutes', 1),
  max_emails_1_hour: field('How many emails one person may get within an hour', 2),
  max_emails_24_hours: field('How many emails one person may get within 24 hours', 3),
  max_emails_1_week: field('How many emails one person may get within 7 days', 7),
  pause_at_percent: field(
    'At so many of the emails of a day the guard pauses an automation. Only the owner can change it; the largest values are the initial ones',
    { complained: 0.3, bounced: 5 },
  ),
  'pause_at_percent.complained': field('Complaints, in percent', 0.3),
  'pause_at_percent.bounced': field('Bounces for good, in percent', 5),
  quiet_hours: field('When nothing is sent, up to five spans a day', [{ from: '22:00', until: '07:00' }]),
  'quiet_hours.from': field('The time of day at which it begins', '22:00'),
  'quiet_hours.until': field('The time of day at which it ends', '07:00'),
  from: field('The beginning'),
  until: field('The end'),

  // The sending log and reports
  'listEmailSends.from': field('The first day, in UTC', DAY),
  'listEmailSends.to': field('The last day, in UTC', DAY),
  'countSkippedEmails.from': field('The first day, in UTC', DAY),
  'countSkippedEmails.to': field('The last day, in UTC', DAY),
  to: field('The end'),
  status: field('The state'),
  reason: field('Why an email was not sent'),
  list: field('The id of an email list', 'LIST_ID'),
  automation: field('The id of an automation', 'AUTOMATION_ID'),
  combination: field(
    'The id of a template, or of a combination of assets: the column ID in Reporting',
    'COMBINATION_ID',
  ),
  recipient: field('The whole address of a recipient', 'ada@example.com'),
  sent_at: field('When it was sent', INSTANT),
  start_date: field('The first day, in UTC', DAY),
  end_date: field('The last day, in UTC', DAY),
  sort_by: field('What the rows are sorted by'),
  sort_direction: field('The direction of the sort'),
  sent: field('How many emails were sent', 100),
  opened: field('How many were opened by a person', 40),
  clicked: field('How many were clicked by a person', 8),
  unsubscribed: field('How many unsubscribed', 0),
  bounced: field('How many bounced', 0),
  complained: field('How many complained', 0),

  // Values
  emailTemplateCombinationId: field(
    'The id of the combination that led to the conversion: of a template, or of assets together. Put `{{template_combination_id}}` into the links of your emails, so that your site gets the id with each click. It is the column ID in Reporting too, and the page of a combination copies it',
    'COMBINATION_ID',
  ),
  eventId: field(
    'An id of your choice, such as the number of an order. The same one counts once in an organization',
    'order-1001',
  ),
  'postValue.value': field(
    'What the conversion was worth, with at most four decimals. It has no currency: convert all values to the same one. A field `currency` is refused',
    49.9,
  ),
  posted_at: field('When it was stored: it counts on the UTC day of this instant', INSTANT),
  is_repeated: field('Whether an earlier call had this eventId: then nothing was counted again', false),
};

export const OPERATION_TEXTS: Record<string, string> = {
  createImport:
    'Only an owner or admin can import people as bounced or complained, by `as` or by a column, since no list mails them any more.',
  getMe:
    'For a program that has several tokens, or that is set up by others. A token with any scope may ask.',
  listEmailListsByToken: 'Answers all lists at once. Their ids stand in the paths of other calls.',
  upsertListMembers:
    'Members are found again by their address: who is in the list already is updated, and fields that are not sent stay. Each member is stored or rejected on its own, so read the status of each result: the call answers 200 even where all were rejected. Members who unsubscribed, complained or bounced stay unsubscribed. Dates in metadata can start automations. The same call again does no harm.',
  postEvents:
    'An event is a date of a member, so it starts the automations and sequences that wait for it, within seconds. Each event is stored or rejected on its own, so read the status of each result: the call answers 200 even where all were rejected. An address that no member has is answered `unknown`: put that of a member into the example. Of two events of one name the later one counts, by `at`. Within a day one person gets one email of an automation, however many events come; an event older than an hour starts only what is due from now on, so leave out `at` where it happens now. Nobody is subscribed again by an event. The same call again does no harm where its events have `at` or `idempotency_key`.',
  postValue:
    'For programs that know what a click on an email led to, such as an order. It is in the report within seconds. An eventId counts once in an organization, however often it is sent.',
};

const { most, seconds } = PROGRAM_RATE;
const SCOPES_EXPLAINED = SCOPE_NAMES.map(
  scope => `\`${scope}\` (${SCOPE_TEXTS[scope].about.toLowerCase().replace(/\.$/, '')})`,
);

/** What all calls of programs have in common. Markdown without lists or links. */
export const API_TEXTS = {
  'Tokens and scopes': `Calls below \`/api/v1\` take an API token: \`Authorization: Bearer YOUR_TOKEN\`. A user creates it on the page \`/profile\` with scopes: ${SCOPES_EXPLAINED.join(', ')}. Each call says which scope it needs. A token can do no more than the role that its user has now. One without scopes can do what tokens could before there were scopes: list lists, and send members, events and values. \`GET /api/v1/me\` answers the organization, the role, the scopes and the limits of a token.`,
  Organization:
    'The header `X-Active-Organization` names the organization that a call is about. Without it, that is the default organization of the user.',
  'Bodies and errors':
    'Bodies and answers are JSON in UTF-8. Each refusal is `{"message": "…", "errors": {"field": ["…"]}}`: a sentence, and the texts for each field of a body or query that is not valid. Nothing is changed then. A path that does not take a method answers 405, with those that it takes in the header `Allow`.',
  'Pages and filters':
    'A long list is answered page by page. Where the answer has `next_cursor`, send that as `cursor` until it is null; a cursor belongs to the search, the filters and the order with which it was answered, and is refused with 422 with others. Where a call takes `page`, count it up from 1 until a page is shorter than the one before, or `last_page` is reached. Filters and searches are parameters of the query; several values are separated by commas.',
  Limits: `All calls of an organization with API tokens are counted together: at most ${most} in ${seconds} seconds. Expensive ones have limits of their own, which they name. Beyond a limit the answer is 429, with the seconds to wait in the header \`Retry-After\`. A body has at most 1 MB, or 5 MB with an image, and at most 100 members or events.`,
  'Repeating calls':
    'Send `Idempotency-Key` with a call that changes something, a new one for each. Where no answer came, repeat the call with the same key: it is done once, and answered as the first time for 24 hours.',
  Versions:
    'Within `/api/v1` nothing that a program relies on is removed or becomes required. Answers may get further fields, and fields further values. Calls outside of `/api/v1` are those of the web app: they take the token of a session, and may change with the app.',
};

export const REFUSAL_TEXTS = {
  401: 'There is no valid session or API token. Send `Authorization: Bearer` with a token that has not expired or been deleted.',
  403: 'The caller lacks the right, the API token the scope, or the caller is no member of the organization in X-Active-Organization. `message` says which. Check that header, create a token with the scope, or ask an owner or admin of the organization.',
  404: 'What the path names does not exist, or belongs to another organization. Check the id and X-Active-Organization.',
  409: 'Another change came first, there are as many as there can be, or the Idempotency-Key belongs to another call. Read again before you repeat the call; use a new key for each call.',
  413: 'The body is too large. Send less in each call.',
  415: 'The body is not JSON. Send it with `Content-Type: application/json`.',
  422: 'The query, the body or X-Active-Organization is not valid. `errors` has the texts for each field; nothing was stored.',
  429: 'Too many calls. Repeat it after as many seconds as the header `Retry-After` says.',
  431: 'The headers are too large. Send less than 10 KB of them.',
} as const;
