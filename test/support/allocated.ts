import {
  drawnShares,
  fittedEffects,
  gainOf,
  type Known,
  type Row,
} from '#core/reporting/allocation-model.ts';

type Random = { uniform: () => number; normal: () => number; poisson: (mean: number) => number };

/** Mulberry32, apart from that of the product. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  const poisson = (mean: number) => {
    if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
    const limit = Math.exp(-mean);
    let count = 0;
    for (let product = uniform(); product > limit; product *= uniform()) count++;
    return count;
  };
  return { uniform, normal, poisson };
}

type Setting = { seed: number; parts: number; variants: number; aDay: number; days: number };

const RATE = 0.03;
/** Of the clicks of a day, so many are known when the shares of the next one are computed. */
const KNOWN = 0.7;
const FORGOTTEN_A_DAY = 0.03;

/** An automation that learns each night. `effect` and `interaction` are standard deviations of logarithms. */
export function allocated(
  { seed, parts, variants, aDay, days }: Setting,
  { effect, interaction = 0.03 }: { effect: number; interaction?: number },
) {
  const { normal, poisson } = randomOf(seed);
  const effects = Array.from({ length: parts }, () =>
    Array.from({ length: variants }, () => normal() * effect),
  );
  const combinations = Array.from({ length: variants ** parts }, (_, nth) => {
    const chosen = effects.map((_, part) => Math.floor(nth / variants ** part) % variants);
    const log = chosen.reduce((sum, variant, part) => sum + (effects[part]?.[variant] ?? 0), 0);
    return {
      ids: chosen.map((variant, part) => `${part}.${variant}`),
      rate: RATE * Math.exp(log + normal() * interaction),
    };
  });
  const mean = combinations.reduce((sum, { rate }) => sum + rate, 0) / combinations.length;
  let shares: Record<string, number>[] | undefined;
  const history: (Omit<Row, 'weight'> & { day: number; late: number })[] = [];
  const groups: Record<'equal' | 'weighted', Known> = {
    equal: { sent: 0, hits: 0 },
    weighted: { sent: 0, hits: 0 },
  };
  let [clicks, atEqualShares] = [0, 0];
  for (let day = 0; day < days; day++) {
    const season = 1 + 0.2 * Math.sin(day);
    for (const { ids, rate } of combinations) {
      const product = ids.reduce((all, id, part) => (all * (shares?.[part]?.[id] ?? 0)) / 1_000, 1);
      const chances = { equal: (shares ? 0.1 : 1) / combinations.length, weighted: 0.9 * product };
      for (const [group, chance] of Object.entries(chances)) {
        const sent = poisson(aDay * chance);
        if (sent === 0) continue;
        const late = poisson(sent * rate * season * (1 - KNOWN));
        const hits = Math.min(sent, late + poisson(sent * rate * season * KNOWN));
        history.push({ day, stratum: `${day}${group}`, variants: ids, sent, hits, late });
        clicks += sent * rate;
        atEqualShares += sent * mean;
        if (!shares) continue;
        groups[group as 'equal'].sent += sent;
        groups[group as 'equal'].hits += hits;
      }
    }
    const fitted = fittedEffects(
      history.map(({ late, ...row }) => ({
        ...row,
        hits: row.day === day ? Math.max(0, row.hits - late) : row.hits,
        weight: (1 - FORGOTTEN_A_DAY) ** (day - row.day),
      })),
    );
    shares = effects.map((all, part) =>
      drawnShares(
        all.map((_, variant) => `${part}.${variant}`),
        fitted,
        `${seed}#${day}#${part}`,
      ),
    );
  }
  return { gain: clicks / atEqualShares - 1, measured: gainOf(groups) };
}
