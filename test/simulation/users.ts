import * as automations from '../../functions/core/automation/automation.ts';
import * as templates from '../../functions/core/email-template/email-template.ts';
import * as list from '../../functions/core/list/list.ts';
import * as listMember from '../../functions/core/list-member/list-member.ts';
import * as organization from '../../functions/core/organization/organization.ts';
import * as recipient from '../../functions/core/recipient/recipient.ts';
import { Refusal } from '../../functions/core/refusal.ts';
import * as safeguards from '../../functions/core/safeguards/safeguards.ts';
import { getAll, type Table } from '../../functions/core/table.store.ts';
import * as model from './organizations.ts';
import type { Random } from './random.ts';
import type { Process } from './scheduler.ts';
import { VAULT } from './sending.ts';
import { suppress } from './suppress.ts';
import type { World } from './world.ts';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;
/** How often users look whether keys are denied. */
const LOOKS_AFTER = 120 * MINUTE;

type Needs = { table: Table; now: Date };
type Scene = { needs: Needs; model: model.Model; of: model.Organization; random: Random; world: World };
type Action = (scene: Scene) => Promise<unknown>;

/** Users do all that may change what is sent, most of it around the minutes in which something is due. */
export function runUsers(world: World, made: model.Model, until: number): void {
  const { scheduler, random, tableFor } = world;
  const start = scheduler.now().getTime();
  const dice = random.fork('users');
  const actions = dice.pick([0, 3, 10, 30, 60]);
  const hot = () => {
    const day = Math.floor(start / DAY) * DAY + dice.int(3) * DAY;
    const minute = dice.pick(made.hotMinutes) + dice.pick([0, 0, 0, 6 * 60, 12 * 60]);
    // Sweeps run as a minute begins.
    const second = dice.chance(0.6) ? dice.int(10_000) : dice.int(MINUTE);
    return day + (minute + dice.between(-1, 6)) * MINUTE + second;
  };
  const neglected = dice.chance(0.1);
  for (let at = start; at < until && !neglected; at += LOOKS_AFTER) {
    scheduler.at(at + dice.int(LOOKS_AFTER), () => repairKeys(world, made));
  }
  for (let count = actions; count > 0; count--) {
    const at = dice.chance(0.8) ? hot() : start + dice.int(until - start);
    if (at < start || at >= until) continue;
    const action = dice.weighted(ACTIONS);
    const fork = dice.fork(`action ${count}`);
    const of = dice.pick(made.organizations);
    scheduler.at(at, () => {
      const work = async (process: Process) => {
        const needs = { table: tableFor(process), now: scheduler.now() };
        await refusable(() => action({ needs, model: made, of, random: fork, world }));
      };
      scheduler.start(action.name, work, { timeout: 30_000 });
    });
  }
}

async function refusable(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    // What users are told: something is gone, or another was faster.
    if (!(error instanceof Refusal) && (error as Error).message !== 'The organization is deleted')
      throw error;
  }
}

/** While an email is on its way, what it depends on changes. */
export function interfere(world: World, made: model.Model): void {
  const { scheduler, store, random, tableFor, faults } = world;
  const dice = random.fork('interference');
  if (dice.chance(0.5)) return;
  store.onChange(shard => {
    const { key, before, after } = store.shards[shard]?.at(-1) ?? {};
    if (faults.isOver || !key?.SK.startsWith('J#') || before || after?.type !== 'send' || !dice.chance(0.15))
      return;
    const [, id, hash = ''] = key.PK.split('#');
    const of = made.organizations.find(one => one.id === Number(id));
    const email = made.people.find(person => recipient.hashOf(person) === hash);
    if (!of || !email) return;
    const claim = after as unknown as recipient.Claim;
    // The same actions, on the only list, automation and person there is.
    const model = { ...made, people: [email] };
    const narrowed = { ...of, lists: [claim.list_id], automations: [claim.automation_id] };
    const action = dice.pick(ACTIONS.filter(([, { name }]) => STOPPING.includes(name)))[1];
    const fork = dice.fork(`${key.PK} ${claim.seq}`);
    scheduler.after(dice.int(dice.pick([500, 5_000, 30_000])), () => {
      const work = async (process: Process) => {
        const needs = { table: tableFor(process), now: scheduler.now() };
        await refusable(() => action({ needs, model, of: narrowed, random: fork, world }));
      };
      scheduler.start(action.name, work, { timeout: 30_000 });
    });
  });
}

const STOPPING = [
  'unsubscribe',
  'remove',
  'complain',
  'edit',
  'switchAutomation',
  'editAutomation',
  'switchList',
  'switchOrganization',
  'removeKey',
];

const anyList = ({ of, random }: Scene) => random.pick(of.lists);

async function anyFoundList(scene: Scene): Promise<list.Found> {
  const found = await list.lookUp(scene.needs, scene.of.id, anyList(scene));
  if (!found) throw new Refusal('not-found', 'This list is deleted');
  return found;
}

async function anyMember(scene: Scene): Promise<listMember.Found> {
  const { needs, of, model: made, random } = scene;
  const id = recipient.memberId(anyList(scene), recipient.hashOf(random.pick(made.people)));
  return listMember.find(needs, of.id, id);
}

async function anyAutomation({ needs, of, random }: Scene): Promise<automations.StoredAutomation> {
  const [found] = await automations.readThese(needs.table, of.id, [random.pick(of.automations)]);
  if (!found) throw new Refusal('not-found', 'This automation is deleted');
  return found;
}

async function anyTemplate({ needs, of, random }: Scene): Promise<templates.Found> {
  const active = await model.acting(needs, of);
  const id = random.pick(of.templates);
  return templates.found(needs, active, await getAll(needs.table, templates.keysOf(of.id, id)));
}

const ACTIONS: [number, Action][] = [
  [
    6,
    function add(scene) {
      const { needs, of, random, model: made } = scene;
      return model.addMember(
        needs,
        of,
        anyList(scene),
        random.pick(made.people),
        model.metadata(random, made, needs.now),
      );
    },
  ],
  [
    4,
    async function upsert(scene) {
      const { needs, random, model: made } = scene;
      const rows = made.people
        .filter(() => random.chance(0.4))
        .map(email => ({ email, ...model.metadata(random, made, needs.now) }));
      return listMember.upsertAll(needs, await anyFoundList(scene), rows);
    },
  ],
  [
    6,
    async function edit(scene) {
      const { needs, random, model: made } = scene;
      return listMember.change(needs, await anyMember(scene), {
        metadata: model.metadata(random, made, needs.now),
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
      const { key } = await anyMember(scene);
      return suppress(scene.needs, key);
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
    function createAutomation({ needs, random, of }) {
      return model.newAutomation(needs, random, of);
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

/** Lists whose keys are denied get other ones: some soon, some when all faults are over, and some never. */
export function repairKeys({ scheduler, random, tableFor, store }: World, made: model.Model): void {
  const dice = random.fork(`repair ${scheduler.now().getTime()}`);
  for (const of of made.organizations) {
    for (const id of of.lists) {
      const stored = store.read({ PK: `ORG#${of.id}`, SK: `LIST#${id}` }, true);
      const { valid = true } = (stored?.connection ?? {}) as { valid?: boolean };
      if (valid || dice.chance(0.3)) continue;
      const work = (process: Process) =>
        refusable(() => model.setKey({ table: tableFor(process), now: scheduler.now() }, dice, of, id));
      scheduler.start('repairKey', work, { timeout: 30_000 });
    }
  }
}
