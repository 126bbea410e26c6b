import { inspect } from 'node:util';
import { engineDecisions } from './engine.ts';
import { type Decision, decisionsOf, type World } from './model.ts';
import { worldFrom } from './worlds.ts';

export type Difference = { seed: number; world: World; model: string[]; engine: string[] };
export type Compared = { worlds: number; results: Map<string, number>; different: Difference[] };

/** Compares until so many worlds differ, which are then shrunk. */
export function compareWorlds({
  from,
  count,
  most = 3,
}: {
  from: number;
  count: number;
  most?: number;
}): Compared {
  const compared: Compared = { worlds: 0, results: new Map(), different: [] };
  for (let seed = from; seed < from + count && compared.different.length < most; seed++) {
    const world = worldFrom(seed);
    const { model, engine, decisions } = bothOf(world);
    compared.worlds++;
    for (const { result } of decisions) compared.results.set(result, (compared.results.get(result) ?? 0) + 1);
    if (model.length + engine.length === 0) continue;
    const shrunk = shrink(world);
    compared.different.push({ seed, world: shrunk, ...bothOf(shrunk) });
  }
  return compared;
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

const lineOf = ({ minute, email, list, automation, day, copy, result }: Decision) =>
  `${minute.slice(0, 16)} ${email} on ${list}: ${automation} of ${day}, copy ${copy}: ${result}`;

const isDifferent = (world: World) => {
  const { model, engine } = bothOf(world);
  return model.length + engine.length > 0;
};

/** Leaves out one thing after the other for as long as the two still differ. */
function shrink(world: World): World {
  const smaller = smallerThan(world).find(isDifferent);
  return smaller === undefined ? world : shrink(smaller as World);
}

const PLAIN: Record<string, unknown> = {
  zone: null,
  subscribed: true,
  suppressed: false,
  startNothing: null,
  hasKey: true,
  hasContent: true,
  audience: null,
  repeat: 'days',
  delay_minutes: 0,
  delay_days: 0,
  every_x_days: 1,
  stop_after_days: null,
  send_at: null,
  time_zone_of: 'organization',
  enabled: false,
  double_send_first: false,
  double_send_second: false,
  double_send_third: false,
  triple_send_first: false,
  triple_send_second: false,
  triple_send_third: false,
};

/** The value without an element of a list or a key of the metadata, or with a plain setting. */
function smallerThan<T>(value: T, name = ''): T[] {
  if (Array.isArray(value)) {
    const shorter = value
      .map((_, place) => value.toSpliced(place, 1))
      .filter(() => (name !== 'all' && name !== 'any') || value.length > 1);
    return [
      ...shorter,
      ...value.flatMap((one, place) => smallerThan(one).map(smaller => value.with(place, smaller))),
    ] as T[];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    const plain = key === 'zone' && name === '' && 'quiet' in value ? 'UTC' : PLAIN[key];
    const plainer = plain !== undefined && plain !== one ? [{ ...value, [key]: plain }] : [];
    const left =
      name === 'metadata'
        ? [Object.fromEntries(Object.entries(value).filter(([other]) => other !== key))]
        : [];
    return [
      ...plainer,
      ...left,
      ...smallerThan(one, key).map(smaller => ({ ...value, [key]: smaller })),
    ] as T[];
  });
}

export const describe = ({ seed, world, model, engine }: Difference) =>
  [
    `World ${seed}, shrunk: ${inspect(plainLeftOut(world), { depth: 9, breakLength: 130, compact: 4 })}`,
    'Only the model decides:',
    ...model,
    'Only the engine decides:',
    ...engine,
  ].join('\n');

const plainLeftOut = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plainLeftOut);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, one]) => PLAIN[key] !== one && !(Array.isArray(one) && one.length === 0))
      .map(([key, one]) => [key, plainLeftOut(one)]),
  );
};
