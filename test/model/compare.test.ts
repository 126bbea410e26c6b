import { expect, it, vi } from 'vitest';
import { compareWorlds, describe } from './compare.ts';
import { type Decision, decisionsOf, type World } from './model.ts';

/** An engine that decides as the model does, but for second copies, which it forgets. */
const forgets = ({ copy, result }: Decision) => copy === 2 && result === 'mailed';
vi.mock('./engine.ts', () => ({
  engineDecisions: (world: World) => decisionsOf(world).filter(one => !forgets(one)),
}));

it('a world in which model and engine differ is shrunk to what makes them differ, and described', () => {
  const { worlds, different } = compareWorlds(1, 500);
  // The comparison ends with the third one.
  expect(different).toHaveLength(3);
  expect(worlds).toBe(different.at(-1)?.seed);
  for (const one of different) {
    const { world, model, engine, seed } = one;
    const forgotten = decisionsOf(world).filter(forgets);
    expect(engine).toEqual([]);
    expect(model).toHaveLength(forgotten.length);
    expect(forgotten.length).toBeGreaterThan(0);
    const { lists, people, automations } = world;
    expect([lists.length, people.length, automations.length]).toEqual([1, 1, 1]);
    expect(people[0]?.memberships.map(({ list }) => list)).toEqual(lists.map(({ id }) => id));
    const text = describe(one);
    expect(text.split('\n')[0]).toMatch(new RegExp(`^World ${seed}, shrunk: \\{`));
    expect(text).toMatch(/Only the model decides:\n.*, copy 2: mailed\n(.*\n)*Only the engine decides:$/);
    // What every automation has is left out.
    expect(text).not.toMatch(/hasContent: true/);
  }
});
