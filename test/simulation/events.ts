import * as events from '#core/list/event/event.ts';
import { keyOf, partitionOf } from '#core/recipient/recipient.key.ts';
import type { Action } from './actions.ts';
import type { Environment } from './environment.ts';
import { acting, COLUMNS, type Model } from './organizations.ts';
import { beginAll, hotInstant, type Planned } from './users.ts';

const MINUTE = 60 * 1000;

/** Sends an event of a person, of now or up to 90 minutes ago; half of the calls are repeated. */
const tell: Action = async ({ needs, of, random, model, environment }) => {
  // A call for a deleted organization is refused.
  await acting(needs, of);
  const at = random.chance(0.5) ? new Date(needs.now.getTime() - random.int(90) * MINUTE) : undefined;
  const isOfList = random.chance(0.5);
  const event = {
    event: random.pick(COLUMNS),
    email: random.chance(0.8) ? random.pick(model.people) : `told${random.int(9)}@example.com`,
    ...(at && { at: at.toISOString() }),
    ...(isOfList && { email_list_id: random.pick(of.lists), create: random.chance(0.5) }),
    ...(of.hasAudiences && { properties: { plan: random.pick(['pro', 'free']) } }),
    idempotency_key: `key ${random.int(1e9)}`,
  };
  const [first] = await events.storeAll(needs, of.id, [event]);
  if (random.chance(0.5)) return;
  const later = { ...needs, now: new Date(needs.now.getTime() + random.int(5 * MINUTE)) };
  const [second] = await events.storeAll(later, of.id, [event]);
  if (first?.status !== 'stored' || second?.status !== 'stored') return;
  // Who is erased takes their keys along.
  const person = partitionOf(keyOf(of.id, event.email));
  const isErased = environment.store.shards
    .flat()
    .some(({ key, after }) => key.PK === person && key.SK.startsWith('KEY#') && !after);
  if (isErased) return;
  environment.scheduler.mistakes.push(`${event.idempotency_key} of ${event.email} was stored twice`);
};

/** Programs tell of events, mostly around the minutes in which something is due. */
export function runEventCalls(environment: Environment, model: Model, until: number): void {
  const dice = environment.random.fork('event calls');
  const start = environment.scheduler.now().getTime();
  const calls: Planned[] = Array.from({ length: dice.pick([0, 0, 3, 10]) }, () => ({
    name: 'tellOfEvent',
    at: hotInstant(dice, model, start),
    act: tell,
  }));
  beginAll(environment, { model, of: dice.pick(model.organizations) }, dice, until, calls);
}
