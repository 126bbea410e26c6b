import {
  drawnShares,
  fittedEffects,
  gainOf,
  type Known,
  type Row,
} from '#core/reporting/allocation-model.ts';
import { compare, sumsOf } from '#shared/report/significance.ts';

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

/** Of what the emails of a day lead to, the share `known` is known when the shares of the next one are computed. */
const KINDS = { clicks: { rate: 0.03, known: 0.7 }, conversions: { rate: 0.003, known: 0.3 } };
export type Kind = keyof typeof KINDS;

type Setting = {
  seed: number;
  parts: number;
  variants: number;
  aDay: number;
  days: number;
  kind?: Kind;
  /** Whether its combinations and variants are compared on each day. */
  isLookedAt?: boolean;
};

const FORGOTTEN_A_DAY = 0.03;

/** An automation that learns each night. `effect` and `interaction` are standard deviations of logarithms. */
export function allocated(
  { seed, parts, variants, aDay, days, kind = 'clicks', isLookedAt = false }: Setting,
  { effect, interaction = 0.03 }: { effect: number; interaction?: number },
) {
  const { normal, poisson } = randomOf(seed);
  const { rate: usual, known } = KINDS[kind];
  const effects = Array.from({ length: parts }, () =>
    Array.from({ length: variants }, () => normal() * effect),
  );
  const combinations = Array.from({ length: variants ** parts }, (_, nth) => {
    const chosen = effects.map((_, part) => Math.floor(nth / variants ** part) % variants);
    const log = chosen.reduce((sum, variant, part) => sum + (effects[part]?.[variant] ?? 0), 0);
    return {
      ids: chosen.map((variant, part) => `${part}.${variant}`),
      rate: usual * Math.exp(log + normal() * interaction),
    };
  });
  const mean = combinations.reduce((sum, { rate }) => sum + rate, 0) / combinations.length;
  let shares: Record<string, number>[] | undefined;
  const compared: Compared[] = [];
  const history: (Omit<Row, 'weight'> & { day: number; late: number })[] = [];
  const groups: Record<'equal' | 'weighted', Known> = {
    equal: { sent: 0, hits: 0 },
    weighted: { sent: 0, hits: 0 },
  };
  let [clicks, atEqualShares, hasClaimed] = [0, 0, false];
  for (let day = 0; day < days; day++) {
    const season = 1 + 0.2 * Math.sin(day);
    for (const { ids, rate } of combinations) {
      const product = ids.reduce((all, id, part) => (all * (shares?.[part]?.[id] ?? 0)) / 1_000, 1);
      const chances = { equal: (shares ? 0.1 : 1) / combinations.length, weighted: 0.9 * product };
      for (const [group, chance] of Object.entries(chances)) {
        const sent = poisson(aDay * chance);
        if (sent === 0) continue;
        const late = poisson(sent * rate * season * (1 - known));
        const hits = Math.min(sent, late + poisson(sent * rate * season * known));
        history.push({ day, stratum: `${day}${group}`, variants: ids, sent, hits, late });
        if (group === 'equal') compared.push({ day, ids, sent, hits, late });
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
    hasClaimed ||= isLookedAt && isClaimed(compared, day);
    shares = effects.map((all, part) =>
      drawnShares(
        all.map((_, variant) => `${part}.${variant}`),
        fitted,
        `${seed}#${day}#${part}`,
      ),
    );
  }
  return { gain: clicks / atEqualShares - 1, measured: gainOf(groups), hasClaimed };
}

type Compared = { day: number; ids: string[]; sent: number; hits: number; late: number };

/** Whether any difference is named of the combinations, or of the variants of a part, by the emails at equal shares. */
function isClaimed(all: Compared[], today: number): boolean {
  const countsOf = (idOf: (ids: string[]) => string) =>
    sumsOf(
      all.map(({ day, ids, sent, hits, late }) => {
        const clicked = Math.max(0, day === today ? hits - late : hits);
        return { id: idOf(ids), day: String(day), sent, clicked };
      }),
    );
  const parts = all[0]?.ids.keys() ?? [];
  const groups = [countsOf(ids => ids.join()), ...[...parts].map(part => countsOf(ids => ids[part] ?? ''))];
  return compare(groups).some(({ result }) => result === 'difference');
}
