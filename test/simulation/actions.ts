import * as automations from '../../functions/core/automation/automation/automation.ts';
import * as templates from '../../functions/core/content/email-template/email-template.ts';
import * as list from '../../functions/core/list/list/list.ts';
import * as listMember from '../../functions/core/list/list-member/list-member.ts';
import * as organization from '../../functions/core/organization/organization/organization.ts';
import * as safeguards from '../../functions/core/organization/safeguards/safeguards.ts';
import * as recipient from '../../functions/core/recipient/recipient/recipient.ts';
import { Refusal } from '../../functions/core/refusal.ts';
import * as value from '../../functions/core/reporting/value/value.ts';
import * as log from '../../functions/core/sending/log/log.ts';
import type { Pack } from '../../functions/core/sending/pack/pack.ts';
import { getAll, type Table } from '../../functions/core/storage/table.store.ts';
import * as model from './organizations.ts';
import type { Random } from './random.ts';
import { VAULT } from './sending.ts';
import { memberZone, otherZone } from './sending-times.ts';
import { claimsIn, journalKey, sendsIn } from './stored.ts';
import type { World } from './world.ts';

type Needs = { table: Table; now: Date; queue: (pack: Pack, seconds: number) => Promise<void> };
export type Scene = {
  needs: Needs;
  model: model.Model;
  of: model.Organization;
  random: Random;
  world: World;
};
type Action = (scene: Scene) => Promise<unknown>;

const anyList = ({ of, random }: Scene) => random.pick(of.lists);

async function anyFoundList(scene: Scene): Promise<list.CountedList> {
  const found = await list.lookUp(scene.needs, scene.of.id, anyList(scene));
  if (!found) throw new Refusal('not-found', 'This list is deleted');
  return found;
}

async function anyMember(scene: Scene): Promise<listMember.MemberWithList> {
  const { needs, of, model: made, random } = scene;
  const id = recipient.memberId(anyList(scene), recipient.hashOf(random.pick(made.people)));
  return listMember.find(needs, of.id, id);
}

async function anyAutomation({ needs, of, random }: Scene): Promise<automations.StoredAutomation> {
  const [found] = await automations.readThese(needs.table, of.id, [random.pick(of.automations)]);
  if (!found) throw new Refusal('not-found', 'This automation is deleted');
  return found;
}

async function anyTemplate({ needs, of, random }: Scene): Promise<templates.TemplateWithRights> {
  const active = await model.acting(needs, of);
  const id = random.pick(of.templates);
  return templates.found(needs, active, await getAll(needs.table, templates.keysOf(of.id, id)));
}

/** An email of the organization of which nobody knows whether it was sent. */
function anyUnknown({ world: { store }, of, random }: Scene): log.FoundEmail {
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
  return { key: { organization: of.id, hash }, claim: item as unknown as recipient.Claim };
}

/** A template or a combination of the organization; it may be one that was deleted. */
function anyCombination({ world: { store }, of, random }: Scene): string {
  const ids = [...store.all()].flatMap(({ PK, SK }) => {
    const [, id] = /^(?:COMBO|TEMPLATE)#(.+)$/.exec(String(SK)) ?? [];
    return PK === `ORG#${of.id}#CONTENT` && id !== undefined ? [id] : [];
  });
  if (ids.length === 0) throw new Refusal('not-found', 'There is no content');
  return random.pick(ids);
}

/** So few that different calls have the same one. */
const EVENT_IDS = 4;

/** What users do, and how often. */
export const ACTIONS: [number, Action][] = [
  [
    10,
    async function sendAgain(scene) {
      return log.resend(scene.needs, anyUnknown(scene), scene.of.owner);
    },
  ],
  [
    10,
    /** A shop tells what an email led to: some events several times at once, some again later with another value. */
    async function buy(scene) {
      const { needs, of, random } = scene;
      const event = {
        emailTemplateCombinationId: anyCombination(scene),
        eventId: `order-${random.int(EVENT_IDS)}`,
        value: random.int(100_000) / 100,
      };
      const calls = Array.from({ length: random.pick([1, 1, 3]) }, () => value.post(needs, of.id, event));
      const answers = await Promise.allSettled(calls);
      for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
    },
  ],
  [
    6,
    function add(scene) {
      const { needs, of, random, model: made } = scene;
      return model.addMember(needs, of, anyList(scene), random.pick(made.people), {
        ...model.metadata(random, made, needs.now),
        ...memberZone(random.fork('zone'), of.times),
      });
    },
  ],
  [
    4,
    async function upsert(scene) {
      const { needs, random, model: made, of } = scene;
      const rows = made.people
        .filter(() => random.chance(0.4))
        .slice(0, 20)
        .map(email => ({
          ...{ email, ...model.metadata(random, made, needs.now) },
          ...memberZone(random.fork(`zone ${email}`), of.times),
        }));
      return listMember.upsertAll(needs, await anyFoundList(scene), rows);
    },
  ],
  [
    6,
    async function edit(scene) {
      const { needs, random, model: made, of } = scene;
      return listMember.change(needs, await anyMember(scene), {
        metadata: {
          ...model.metadata(random, made, needs.now),
          ...otherZone(random.fork('zone'), of.times),
        },
      });
    },
  ],
  [
    8,
    async function unsubscribe(scene) {
      return listMember.change(scene.needs, await anyMember(scene), { is_subscribed: false });
    },
  ],
  [
    5,
    async function resubscribe(scene) {
      return listMember.change(scene.needs, await anyMember(scene), { is_subscribed: true });
    },
  ],
  [
    4,
    async function remove(scene) {
      return listMember.remove(scene.needs, await anyMember(scene));
    },
  ],
  [
    1,
    function erase({ needs, of, random, model: made }) {
      return recipient.erase(needs, of.id, random.pick(made.people));
    },
  ],
  [
    3,
    async function complain(scene) {
      const { needs } = scene;
      const { key } = await anyMember(scene);
      const reach = { since: needs.now, enough: 1, consistent: true };
      const [email] = (await recipient.readPerson(needs.table, key, reach)).claims;
      if (email) await recipient.suppress(needs, key, { email, why: 'complaint' });
    },
  ],
  [
    5,
    async function switchAutomation(scene) {
      return automations.change(scene.needs, await anyAutomation(scene), {
        active: scene.random.chance(0.5),
      });
    },
  ],
  [
    3,
    async function editAutomation(scene) {
      const { random, of } = scene;
      const fields = random.chance(0.5)
        ? { email_list_ids: of.lists.filter(() => random.chance(0.7)) }
        : model.schedule(random);
      return automations.change(scene.needs, await anyAutomation(scene), fields);
    },
  ],
  [
    1,
    async function deleteAutomation(scene) {
      return automations.remove(scene.needs, await anyAutomation(scene));
    },
  ],
  [
    1,
    function createAutomation({ needs, random, of, model: made }) {
      return model.newAutomation(needs, random, of, made);
    },
  ],
  [
    4,
    async function switchList(scene) {
      return list.change(scene.needs, await anyFoundList(scene), { active: scene.random.chance(0.6) });
    },
  ],
  [
    1,
    async function editList(scene) {
      return list.change(scene.needs, await anyFoundList(scene), {
        sender_name: `Editor ${scene.random.int(9)}`,
      });
    },
  ],
  [
    0.5,
    async function deleteList(scene) {
      return list.remove(scene.needs, await anyFoundList(scene));
    },
  ],
  [
    3,
    async function switchOrganization(scene) {
      const { needs, of, random } = scene;
      return organization.change(needs, await model.acting(needs, of), { active: random.chance(0.7) });
    },
  ],
  [
    0.5,
    async function deleteOrganization(scene) {
      return organization.remove(scene.needs, await model.acting(scene.needs, scene.of));
    },
  ],
  [
    1,
    function createTemplate({ needs, random, of }) {
      return model.newTemplate(needs, random, of);
    },
  ],
  [
    2,
    async function switchTemplate(scene) {
      return templates.change(scene.needs, await anyTemplate(scene), { is_active: scene.random.chance(0.5) });
    },
  ],
  [
    1,
    async function deleteTemplate(scene) {
      return templates.remove(scene.needs, await anyTemplate(scene));
    },
  ],
  [
    1,
    function changeSafeguards({ needs, of, random }) {
      return safeguards.change(needs, of.id, model.limits(random));
    },
  ],
  [
    2,
    function changeKey(scene) {
      return model.setKey(scene.needs, scene.random, scene.of, anyList(scene));
    },
  ],
  [
    1,
    async function removeKey(scene) {
      return list.changeSendingKey({ ...scene.needs, vault: VAULT }, await anyFoundList(scene), {
        mailgun_sending_key: null,
      });
    },
  ],
  [
    1,
    async function revokeKey(scene) {
      const found = await anyFoundList(scene);
      if (!found.sending_key) return;
      const { key } = await list.accessOf({ vault: VAULT }, found);
      scene.world.revokedKeys.add(key);
    },
  ],
];
