import { inspect } from 'node:util';
import { NewAutomation } from '#shared/automation.ts';
import { engineDecisions } from './engine.ts';
import { type Decision, decisionsOf, type World } from './model.ts';
import { worldFrom } from './worlds.ts';

type Difference = { seed: number; world: World; model: string[]; engine: string[] };

/** Compares until three worlds differ, which are then shrunk. */
export function compareWorlds(from: number, count: number) {
  const results = new Map<string, number>();
  const different: Difference[] = [];
  let seed = from;
  for (; seed < from + count && different.length < 3; seed++) {
    const world = worldFrom(seed);
    const { model, engine, decisions } = bothOf(world);
    for (const { result } of decisions) results.set(result, (results.get(result) ?? 0) + 1);
    if (model.length + engine.length === 0) continue;
    const shrunk = shrink(world);
    different.push({ seed, world: shrunk, ...bothOf(shrunk) });
  }
  return { worlds: seed - from, results, different };
}

/** What either of them decides alone. */
function bothOf(world: World) {
  const decisions = decisionsOf(world);
  const [ofModel, ofEngine] = [decisions.map(lineOf), engineDecisions(world).map(lineOf)];
  return {
    decisions,
    model: ofModel.filter(line => !ofEngine.includes(line)),
    engine: ofEngine.filter(line => !ofModel.includes(line)),
  };
}

const lineOf = ({ minute, email, list, automation, day, copy, result, resumes = 0 }: Decision) =>
  `${minute.slice(0, 16)} ${email} on ${list}: ${automation} of ${day}, copy ${copy}: ${result}${resumes > 0 ? `, resumed ${resumes}` : ''}`;

const isDifferent = (world: World) => {
  const { model, engine } = bothOf(world);
  return model.length + engine.length > 0 && isWhole(world);
};

/** Nobody is a member of a list that is left out. */
const isWhole = ({ lists, people }: World) =>
  people.every(({ memberships }) => memberships.every(({ list }) => lists.some(({ id }) => id === list)));

/** Leaves out one thing after the other for as long as the two still differ. */
function shrink(world: World): World {
  const smaller = smallerThan(world).find(isDifferent);
  return smaller === undefined ? world : shrink(smaller as World);
}

const PLAIN: Record<string, unknown> = {
  ...NewAutomation.parse({ name: 'plain' }),
  zone: null,
  hasKey: true,
  hasContent: true,
  enabled: false,
  subscribed: true,
  suppressed: false,
  startNothing: null,
  isForExisting: false,
  warmUp: null,
};

const plainOf = (value: object, key: string) => {
  if (key === 'zone' && 'quiet' in value) return 'UTC';
  return key === 'repeat' && 'begun' in value ? 'once' : PLAIN[key];
};

/** The value without an element of a list or a key of the metadata, or with a plain setting. */
function smallerThan<T>(value: T, name = ''): T[] {
  if (Array.isArray(value)) {
    const isGroup = name === 'all' || name === 'any';
    const shorter = isGroup && value.length === 1 ? [] : value.map((_, place) => value.toSpliced(place, 1));
    const inner = value.flatMap((one, place) => smallerThan(one).map(smaller => value.with(place, smaller)));
    return [...shorter, ...inner] as T[];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    const plain = plainOf(value, key);
    const plainer = plain !== undefined && plain !== one ? [{ ...value, [key]: plain }] : [];
    const { [key]: _, ...left } = value as Record<string, unknown>;
    const inner = smallerThan(one, key).map(smaller => ({ ...value, [key]: smaller }));
    return [...plainer, ...(name === 'metadata' ? [left] : []), ...inner] as T[];
  });
}

export function describe({ seed, world, model, engine }: Difference): string {
  const shown = inspect(withoutPlain(world), { depth: 9, breakLength: 130, compact: 4 });
  const lines = ['Only the model decides:', ...model, 'Only the engine decides:', ...engine];
  return [`World ${seed}, shrunk: ${shown}`, ...lines].join('\n');
}

function withoutPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, one]) => PLAIN[key] !== one && String(one) !== '');
  return Object.fromEntries(entries.map(([key, one]) => [key, withoutPlain(one)]));
}
