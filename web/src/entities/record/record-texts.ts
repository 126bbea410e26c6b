import { PARTS, type Part } from '#shared/email/content.ts';
import { titleOf } from '#shared/providers.ts';
import type { Done, Means, RecordEntry, Recorded, RecordedValue } from '#shared/record.ts';
import { LEGACY } from '#shared/token.ts';
import { capitalized, formatUtcMoment } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';

export const KIND_NAMES: Record<Recorded, string> = {
  automation: 'Automations',
  sequence: 'Sequences',
  broadcast: 'Broadcasts',
  template: 'Email templates',
  asset: 'Email assets',
  list: 'Email lists',
  sending: 'Safeguards and sending hours',
  organization: 'Organization',
  member: 'Members and roles',
  token: 'API tokens',
  person: 'Exports and erasures of one person',
};

const KIND_WORDS: Record<Recorded, string> = {
  automation: 'automation',
  sequence: 'sequence',
  broadcast: 'broadcast',
  template: 'template',
  asset: 'asset',
  list: 'list',
  sending: 'safeguards and sending hours',
  organization: 'organization',
  member: 'role',
  token: 'API token',
  person: 'a person',
};

const DONE_WORDS: Record<Done, string> = {
  created: 'Created',
  changed: 'Changed',
  deleted: 'Deleted',
  reworded: 'Wrote a new version of',
  invited: 'Invited somebody',
  cancelled: 'Cancelled an invitation',
  joined: 'Accepted an invitation',
  removed: 'Removed a member',
  exported: 'Exported',
  erased: 'Erased',
};

const MEANS_NAMES: Record<Means, string> = { app: 'App', token: 'API token', plan: 'Plan', agent: 'Agent' };

/** If nobody did it, the product did: the guard paused an automation, or a broadcast was stopped. */
export const whoOf = ({ by }: RecordEntry) => by?.name ?? 'Automatic';
export const meansOf = ({ means }: RecordEntry) => (means ? MEANS_NAMES[means] : '');

const SWITCHES = ['active', 'is_active', 'enabled'];

/** “Switched on automation”, before the name of what it is about. */
export function whatOf({ kind, what, changes }: RecordEntry): string {
  if (kind === 'member' && what !== 'changed') return DONE_WORDS[what];
  const [field = '', ...others] = Object.keys(changes);
  const isSwitch = what === 'changed' && others.length === 0 && SWITCHES.includes(field);
  const verb = isSwitch ? (changes[field]?.to ? 'Switched on' : 'Switched off') : DONE_WORDS[what];
  return `${verb} ${KIND_WORDS[kind]}`;
}

const PATHS: Partial<Record<Recorded, (id: string) => string>> = {
  automation: paths.automation,
  sequence: paths.sequence,
  broadcast: paths.broadcast,
  template: paths.emailTemplate,
  asset: paths.emailAsset,
  list: paths.list,
};

/** The path of its page; undefined if it was deleted, or has none. */
export function pathOf({ kind, what, object: { id } }: RecordEntry): string | undefined {
  if (what === 'deleted' || id === null) return kind === 'sending' ? paths.safeguards() : undefined;
  return PATHS[kind]?.(id);
}

const LABELS: Record<string, string> = {
  active: 'Status',
  is_active: 'Status',
  email_list_ids: 'Lists',
  email_lists: 'Lists',
  automation_ids: 'Automations',
  metadata_trigger: 'Trigger column',
  audience: 'Conditions',
  repeat: 'Repeats',
  time_zone_of: 'Time zone',
  every_x_days: 'Repeats',
  delay_days: 'Days after the trigger',
  delay_minutes: 'Minutes after the trigger',
  send_at: 'Time of day',
  reply_to: 'Reply address',
  allocation: 'Send more of what works',
  holdout_percent: 'Held out',
  include_existing: 'People who are there already',
  expiration: 'Expires',
  at: 'Time',
  local_at: 'Local time',
  currency: 'Currency',
  ses_domain: 'Domain at Amazon SES',
  sending_key: 'Sending key',
  signing_key: 'Webhook signing key',
  warm_up: 'Warm-up',
  look: 'Email design',
  pause_at_percent: 'The guard pauses at',
  owner_id: 'Owner',
  enabled: 'Safeguards',
  max_emails_5_minutes: 'Max emails in 5 minutes',
  max_emails_1_hour: 'Max emails in 1 hour',
  max_emails_24_hours: 'Max emails in 24 hours',
  max_emails_1_week: 'Max emails in 1 week',
  order: 'Which email comes first',
};

export const labelOf = (field: string) => LABELS[field] ?? PARTS[field as Part] ?? sentence(field);

const sentence = (name: string) => capitalized(name.replaceAll('_', ' '));

type Names = ReadonlyMap<string, string>;

const statusText = (value: RecordedValue) => (value ? 'Active' : 'Inactive');

/** Settings in the words of the forms, where the stored value has others. */
const VALUES: Record<string, (value: RecordedValue) => string> = {
  active: statusText,
  is_active: statusText,
  at: at => (at === null ? '–' : formatUtcMoment(String(at))),
  status: status => sentence(String(status)),
  type: type => PARTS[type as Part],
  every_x_days: days => (days === null ? '–' : `Every ${days} ${days === 1 ? 'day' : 'days'}`),
  provider: provider => titleOf(provider as Parameters<typeof titleOf>[0]),
  second_provider: provider => (provider === null ? '–' : titleOf(provider as Parameters<typeof titleOf>[0])),
  order: order => (order === 'value' ? 'What earns most' : 'What mailed the person least recently'),
  holdout_percent: percent => (percent === null ? '–' : `${percent}% of people`),
  include_existing: () => 'get it too',
  expiration: days => (days === null ? 'never' : `after ${days} ${days === 1 ? 'day' : 'days'}`),
  role: role => (role === null ? '–' : sentence(String(role).toLowerCase())),
};

function one(field: string, value: RecordedValue, names: Names): string {
  const written = VALUES[field];
  if (written) return written(value);
  if (value === null || value === false) return field === 'warm_up' || SWITCHES.includes(field) ? 'Off' : '–';
  if (value === true) return 'On';
  if (typeof value === 'object') {
    return Object.entries(value)
      .map(([name, number]) => `${number} % ${name}`)
      .join(', ');
  }
  return names.get(String(value)) ?? String(value);
}

/** A single value of a setting. */
export const settingText = (field: string, value: RecordedValue) => one(field, value, new Map());

const inWords = (text: string) => {
  if (text === LEGACY) return 'basic';
  if (!text.startsWith('{')) return text;
  const { from, until } = JSON.parse(text) as { from: string; until: string };
  return `${from}–${until}`;
};

/** The record has whether they are set, not their values. */
const UNRECORDED = ['audience', 'reply_to', 'sender_address', 'unsubscribe_text', 'look', 'logo'];

/** What changed, a line for each setting. Of a list of values, what was removed and what was added. */
export function changesOf({ changes }: RecordEntry, names: Names): string[] {
  return Object.entries(changes).map(([field, { from, to }]) => {
    const label = labelOf(field);
    if (from === true && to === true) return `${label}: changed`;
    if (UNRECORDED.includes(field) || field.endsWith('_key'))
      return `${label}: ${to === null ? 'removed' : 'set'}`;
    if (Array.isArray(from) || Array.isArray(to)) {
      const named = (all: RecordedValue, sign: string) =>
        (Array.isArray(all) ? all : []).map(id => `${sign} ${names.get(id) ?? sentence(inWords(id))}`);
      return `${label}: ${[...named(from, '−'), ...named(to, '+')].join(', ')}`;
    }
    const [before, after] = [one(field, from, names), one(field, to, names)];
    return from === null ? `${label}: ${after}` : `${label}: ${before} → ${after}`;
  });
}

const COLUMNS = ['When (UTC)', 'Who', 'By', 'What', 'Name', 'Changes', 'ID'];

export const rowsOfRecord = (entries: RecordEntry[], names: Names): string[][] => [
  COLUMNS,
  ...entries.map(entry => [
    entry.at,
    whoOf(entry),
    meansOf(entry),
    whatOf(entry),
    entry.object.name ?? '',
    changesOf(entry, names).join('; '),
    entry.object.id ?? '',
  ]),
];
