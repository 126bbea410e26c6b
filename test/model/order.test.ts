import { expect, it } from 'vitest';
import { WINDOWS } from '#shared/safeguards.ts';
import { extent } from '#test/support/prove.ts';
import { engineDecisions } from './engine.ts';
import type { Decision, World } from './model.ts';
import { worldFrom } from './worlds.ts';

const WORLDS = Array.from({ length: extent(60, 5_000) }, (_, seed) => worldFrom(seed));
const nameOf = ({ minute, email, list, automation, day, copy }: Decision) =>
  [minute, email, list, automation, day, copy].join(' ');
const byValue = (world: World): World => ({
  ...structuredClone(world),
  safeguards: { ...world.safeguards, order: 'value' },
});
const mailedIn = (decisions: Decision[]) => decisions.filter(({ result }) => result === 'mailed');

it('by value, the same is decided again, in whatever order automations are found', () => {
  for (const world of WORLDS) {
    const decided = engineDecisions(byValue(world));
    expect(engineDecisions(byValue(world))).toEqual(decided);
    const turned = byValue(world);
    turned.automations.reverse();
    expect(engineDecisions(turned).map(nameOf).sort()).toEqual(decided.map(nameOf).sort());
  }
});

it('by value, no email is sent twice, and without limits the same are sent as in the usual order', () => {
  for (const world of WORLDS) {
    const names = mailedIn(engineDecisions(byValue(world))).map(nameOf);
    expect(new Set(names).size).toBe(names.length);
    const free = { ...world, lists: world.lists.map(list => ({ ...list, warmUp: null })) };
    const [value, usual] = (['value', 'least_recent'] as const).map(order =>
      mailedIn(engineDecisions({ ...free, safeguards: { ...world.safeguards, enabled: false, order } })),
    );
    expect(value?.map(nameOf).sort()).toEqual(usual?.map(nameOf).sort());
  }
});

it('by value, no limit is exceeded', () => {
  for (const world of WORLDS) {
    const { safeguards, claims } = { ...byValue(world), claims: world.claims };
    if (!safeguards.enabled) continue;
    const byPerson = Map.groupBy(mailedIn(engineDecisions(byValue(world))), ({ email }) => email);
    for (const [email, mailed] of byPerson) {
      const before = claims.filter(claim => claim.email === email).map(({ at }) => Date.parse(at));
      const sent = mailed.map(({ minute }) => Date.parse(minute));
      for (const { field, length } of WINDOWS)
        for (const at of sent) {
          const within = [...before, ...sent].filter(one => one > at - length && one <= at).length;
          // What was sent before the stretch may have been more than is allowed in it.
          if (before.every(one => one <= at - length)) expect(within).toBeLessThanOrEqual(safeguards[field]);
        }
    }
  }
});
