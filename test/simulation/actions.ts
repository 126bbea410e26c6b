import * as automation from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import * as templates from '#core/content/email-template.ts';
import * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as upsertStore from '#core/list/list-member/rows.ts';
import * as memberImport from '#core/list/member-import/member-import.ts';
import * as sendingKey from '#core/list/sending-key.ts';
import * as organization from '#core/organization/organization.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import * as claims from '#core/recipient/claim.ts';
import type * as journal from '#core/recipient/journal.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipient from '#core/recipient/recipient.ts';
import * as suppressions from '#core/recipient/suppression.ts';
import { Refusal } from '#core/refusal.ts';
import * as value from '#core/reporting/value.ts';
import * as resendStore from '#core/sending/claim/resend.ts';
import type * as foundStore from '#core/sending/log/email.ts';
import type { Pack } from '#core/sending/pack.ts';
import { getAll, type Table } from '#core/storage/table.store.ts';
import type { ListChange } from '#shared/list.ts';
import { NewImport } from '#shared/member-import.ts';
import { KEY_PROVIDER } from '#shared/providers.ts';
import { noTraits, traits } from './audiences.ts';
import type { Environment } from './environment.ts';
import * as model from './organizations.ts';
import type { Random } from './random.ts';
import { VAULT } from './sending.ts';
import { memberZone, otherZone, ZONE_COLUMN } from './sending-times.ts';
import { claimsIn, journalKey, sendsIn } from './stored.ts';

type Needs = { table: Table; now: Date; queue: (pack: Pack, seconds: number) => Promise<void> };
export type Context = {
  needs: Needs;
  model: model.Model;
  of: model.Organization;
  random: Random;
  environment: Environment;
};
export type Action = (context: Context) => Promise<unknown>;

const anyList = ({ of, random }: Context) => random.pick(of.lists);

async function anyFoundList(context: Context): Promise<list.CountedList> {
  const found = await list.lookUp(context.needs, context.of.id, anyList(context));
  if (!found) throw new Refusal('not-found', 'This list is deleted');
  return found;
}

async function anyMember(context: Context): Promise<listMember.MemberWithList> {
  const { needs, of, model: made, random } = context;
  const id = recipientKey.memberId(anyList(context), recipientKey.hashOf(random.pick(made.people)));
  return listMember.find(needs, of.id, id);
}

async function anyAutomation({ needs, of, random }: Context): Promise<automation.StoredAutomation> {
  const [found] = await automation.readThese(needs.table, of.id, [random.pick(of.automations)]);
  if (!found) throw new Refusal('not-found', 'This automation is deleted');
  return found;
}

async function anyTemplate({ needs, of, random }: Context): Promise<templates.TemplateWithRights> {
  const active = await model.acting(needs, of);
  const id = random.pick(of.templates);
  return templates.found(needs, active, await getAll(needs.table, templates.keysOf(of.id, id)));
}

/** An email of the organization whose outcome is unknown. */
function anyUnknown({ environment: { store }, of, random }: Context): foundStore.FoundEmail {
  const heads = [...store.all()].filter(
    ({ PK, type, state }) => PK === `ORG#${of.id}#LOG` && type === 'batch' && state !== 'posting',
  );
  const open = heads.flatMap(({ PK, SK, state }) => {
    const part = store.read({ PK: String(PK), SK: `${SK}${state === 'mixed' ? '#U' : '#M'}` }, true);
    if (!part || !['mixed', 'unknown'].includes(String(state))) return [];
    return state === 'mixed' ? claimsIn(part) : sendsIn(part).map(({ hash, seq }) => `${hash}#${seq}`);
  });
  if (open.length === 0) throw new Refusal('not-found', 'Nothing is unknown');
  const [hash = '', seq] = random.pick(open).split('#');
  const item = store.read({ PK: `R#${of.id}#${hash}`, SK: journalKey(Number(seq)) }, true);
  if (!item) throw new Refusal('not-found', 'This email is deleted');
  return { key: { organization: of.id, hash }, claim: item as unknown as journal.Claim };
}

/** A template or a combination of the organization, which may be deleted. */
function anyCombination({ environment: { store }, of, random }: Context): string {
  const ids = [...store.all()].flatMap(({ PK, SK }) => {
    const [, id] = /^(?:COMBO|TEMPLATE)#(.+)$/.exec(String(SK)) ?? [];
    return PK === `ORG#${of.id}#CONTENT` && id !== undefined ? [id] : [];
  });
  if (ids.length === 0) throw new Refusal('not-found', 'There is no content');
  return random.pick(ids);
}

/** So few ids that different requests use the same one. */
const EVENT_IDS = 4;

/** What users do, and how often in comparison. */
const WEIGHTED: Record<string, [number, Action]> = {
  sendAgain: [10, async context => resendStore.resend(context.needs, anyUnknown(context), context.of.owner)],
  /** A shop reports the value of conversions: some events several times at once, some again later with another value. */
  buy: [
    10,
    async context => {
      const { needs, of, random } = context;
      const event = {
        emailTemplateCombinationId: anyCombination(context),
        eventId: `order-${random.int(EVENT_IDS)}`,
        value: random.int(100_000) / 100,
      };
      const calls = Array.from({ length: random.pick([1, 1, 3]) }, () => value.post(needs, of.id, event));
      const answers = await Promise.allSettled(calls);
      for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
    },
  ],
  add: [
    6,
    context => {
      const { needs, of, random, model: made } = context;
      return model.addMember(needs, of, anyList(context), random.pick(made.people), {
        ...model.metadata(random, made, needs.now),
        ...memberZone(random.fork('zone'), of.times),
      });
    },
  ],
  upsert: [
    4,
    async context => {
      const people = context.model.people.filter(() => context.random.chance(0.4)).slice(0, 20);
      return upsertStore.upsertAll(context.needs, await anyFoundList(context), rowsOf(context, people));
    },
  ],
  /** Mostly of new people, and some files start nothing. */
  importFile: [
    4,
    async context => {
      const { needs, random, model: made, of } = context;
      const to = await anyFoundList(context);
      const added = Array.from(
        { length: random.between(1, 6) },
        () => `imported${random.int(40)}@example.com`,
      );
      const people = [...new Set([...added, random.pick(made.people)])];
      const names = ['email', ...model.COLUMNS, ZONE_COLUMN];
      const columns = names.map((name, position) =>
        position === 0 ? { position, name, to: 'email' } : { position, name, to: 'metadata', key: name },
      );
      const file = NewImport.parse({
        file_name: 'people.csv',
        size: 100,
        fingerprint: 'f'.repeat(64),
        total_rows: people.length,
        columns,
        consent: { source: 'Sign-up form' },
        start_nothing: random.chance(0.7),
      });
      const by = { ...needs, user: of.owner, role: 'OWNER' as const, hasTimeLeft: () => true };
      const { id } = await memberImport.create(by, to, file);
      const stored = await getAll(needs.table, memberImport.keysOf(of.id, id, { list: to.id }));
      const rows = rowsOf(context, people).map(row => names.map(name => row[name] ?? ''));
      return memberImport.addRows(by, to, memberImport.found(id, stored), { from: 1, rows });
    },
  ],
  edit: [
    6,
    async context => {
      const { needs, random, model: made, of } = context;
      return listMember.change(needs, await anyMember(context), {
        metadata: {
          ...model.metadata(random, made, needs.now),
          ...otherZone(random.fork('zone'), of.times),
          ...(of.hasAudiences && { ...noTraits, ...traits(random.fork('traits')) }),
        },
      });
    },
  ],
  unsubscribe: [8, subscription(false)],
  resubscribe: [5, subscription(true)],
  remove: [4, async context => listMember.remove(context.needs, await anyMember(context))],
  erase: [
    1,
    ({ needs, of, random, model: { people } }) => recipient.erase(needs, of.id, random.pick(people)),
  ],
  complain: [
    3,
    async context => {
      const { needs } = context;
      const { key } = await anyMember(context);
      const reach = { since: needs.now, enough: 1, consistent: true };
      const [email] = (await claims.readPerson(needs.table, key, reach)).claims;
      if (email) await suppressions.suppress(needs, key, { email, why: 'complaint' });
    },
  ],
  switchAutomation: [
    5,
    async context =>
      automations.change(context.needs, await anyAutomation(context), { active: context.random.chance(0.5) }),
  ],
  /** Switches it on, or adds lists to it, for those as well who are there already. Some regret it at once. */
  includeExisting: [
    4,
    async context => {
      const { random, of, needs } = context;
      const found = await anyAutomation(context);
      const include_existing = true;
      if (found.active && random.chance(0.3))
        return automations.change(needs, found, { email_list_ids: of.lists, include_existing });
      const later = (seconds: number) => ({ ...needs, now: new Date(needs.now.getTime() + seconds * 1000) });
      if (found.active) await automations.change(needs, found, { active: false });
      await automations.change(needs, { ...found, active: false }, { active: true, include_existing });
      if (random.chance(0.6)) return;
      await automations.change(later(1), found, { active: false });
      await automations.change(later(2), found, { active: true });
    },
  ],
  editAutomation: [
    3,
    async context => {
      const { random, of, needs } = context;
      const dice = random.fork('audience');
      if (of.hasAudiences && dice.chance(0.5)) {
        const audience = dice.chance(0.2) ? null : model.audienceOf(dice, of, needs.now);
        return automations.change(needs, await anyAutomation(context), { audience });
      }
      const fields = random.chance(0.5)
        ? { email_list_ids: of.lists.filter(() => random.chance(0.7)) }
        : model.schedule(random);
      return automations.change(needs, await anyAutomation(context), fields);
    },
  ],
  deleteAutomation: [1, async context => automations.remove(context.needs, await anyAutomation(context))],
  createAutomation: [1, ({ needs, random, of, model: made }) => model.newAutomation(needs, random, of, made)],
  switchList: [4, changedList(({ random }) => ({ active: random.chance(0.6) }))],
  editList: [1, changedList(({ random }) => ({ sender_name: `Editor ${random.int(9)}` }))],
  switchWarmUp: [0.5, changedList(({ random }) => ({ warm_up: random.chance(0.5) ? 'on' : 'off' }))],
  deleteList: [0.5, async context => list.remove(context.needs, await anyFoundList(context))],
  switchOrganization: [
    3,
    async ({ needs, of, random }) =>
      organization.change(needs, await model.acting(needs, of), { active: random.chance(0.7) }),
  ],
  deleteOrganization: [
    0.5,
    async ({ needs, of }) => organization.remove(needs, await model.acting(needs, of)),
  ],
  createTemplate: [1, ({ needs, random, of }) => model.newTemplate(needs, random, of)],
  switchTemplate: [
    2,
    async context =>
      templates.change(context.needs, await anyTemplate(context), { is_active: context.random.chance(0.5) }),
  ],
  deleteTemplate: [1, async context => templates.remove(context.needs, await anyTemplate(context))],
  changeSafeguards: [1, ({ needs, of, random }) => safeguards.change(needs, of.id, model.limits(random))],
  changeKey: [2, context => model.setKey(context.needs, context.random, context.of, anyList(context))],
  removeKey: [
    1,
    async context =>
      sendingKey.changeSendingKey({ ...context.needs, vault: VAULT }, await anyFoundList(context), {
        mailgun_sending_key: null,
      }),
  ],
  revokeKey: [
    1,
    async context => {
      const found = await anyFoundList(context);
      if (!found.sending_key) return;
      const { key } = await sendingKey.accessOf({ vault: VAULT }, found, KEY_PROVIDER);
      if (key) context.environment.revokedKeys.add(key);
    },
  ],
};

export const ACTIONS = Object.entries(WEIGHTED).map(
  ([name, [weight, run]]) => [weight, { name, run }] satisfies [number, object],
);

export type Switching = (of: Pick<Context, 'needs' | 'of' | 'random'>, active: boolean) => Promise<unknown>;

export const SWITCHES: Switching[] = [
  async ({ needs, of }, active) => organization.change(needs, await model.acting(needs, of), { active }),
  async ({ needs, of, random }, active) => {
    const found = await list.lookUp(needs, of.id, random.pick(of.lists));
    return found && list.change(needs, found, { active });
  },
  async ({ needs, of, random }, active) => {
    const [found] = await automation.readThese(needs.table, of.id, [random.pick(of.automations)]);
    return found && automations.change(needs, found, { active });
  },
];

const rowsOf = ({ needs, random, model: made, of }: Context, people: string[]): Record<string, string>[] =>
  people.map(email => ({
    email,
    ...model.metadata(random, made, needs.now),
    ...memberZone(random.fork(`zone ${email}`), of.times),
  }));

function subscription(is_subscribed: boolean): Action {
  return async context => listMember.change(context.needs, await anyMember(context), { is_subscribed });
}

function changedList(change: (context: Context) => ListChange): Action {
  return async context => list.change(context.needs, await anyFoundList(context), change(context));
}
