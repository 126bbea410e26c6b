import { invalid } from '#core/refusal.ts';
import type { Part } from '#shared/email/content.ts';
import type { PartTexts } from '#shared/part-texts.ts';
import type { CombinationsReport, ReportRow } from '#shared/reporting.ts';
import type { Described } from './described.ts';

/** The refusal of a range that cannot be read in time. */
export const tooMuch = () =>
  invalid('start_date', 'There is too much in this range to be read at once. Please choose a shorter one.');

/**
 * A response of Lambda may have 6 MB, in which the body is a JSON string:
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const MOST_BYTES = 5_900_000;
/** What figures, names and ids take at most, so that something is left for the texts. */
const MOST_WITHOUT_TEXTS = 5_000_000;
const MOST_ROWS = 5_000;

const CUTS = [2_000, 500, 200, 100, 50, 20, 10, 0];

type Named = ReportRow & Pick<Described, 'asset_names'>;
type Fitting = Pick<CombinationsReport, 'asset_names' | 'texts_cut_at'> & { rows: ReportRow[] };

/** As many of the rows as an answer holds, with as much of their texts. */
export function fitting(all: Named[]): Fitting {
  let named = all.slice(0, MOST_ROWS);
  let most = MOST_BYTES;
  for (;;) {
    const rest = named.map(({ assets: _, asset_names: __, ...row }) => row);
    const taken = bytesOf(rest) + bytesOf(namesIn(named));
    most = MOST_BYTES - taken;
    if (taken <= MOST_WITHOUT_TEXTS) break;
    named = named.slice(0, Math.floor((named.length * MOST_WITHOUT_TEXTS) / taken));
  }
  const asset_names = namesIn(named);
  const rows = named.map(({ asset_names: _, ...row }) => row);
  if (textsFit(rows, most)) return { rows, asset_names, texts_cut_at: null };
  const texts_cut_at = CUTS.find(length => textsFit(rows, most, length)) ?? 0;
  const shorter = rows.map(row => ({ ...row, assets: cut(row.assets, texts_cut_at) }));
  return { rows: shorter, asset_names, texts_cut_at };
}

/** Combinations share assets: each is named once. */
export const namesIn = (rows: Pick<Described, 'asset_ids' | 'asset_names'>[]): Record<string, string> =>
  Object.fromEntries(
    rows.flatMap(({ asset_ids, asset_names }) =>
      Object.entries(asset_names).map(([part, name]) => [asset_ids[part as Part], name]),
    ),
  );

function textsFit(rows: ReportRow[], most: number, length = Number.POSITIVE_INFINITY): boolean {
  let bytes = 0;
  return rows.every(({ assets }) => {
    bytes += bytesOf(length < Number.POSITIVE_INFINITY ? cut(assets, length) : assets);
    return bytes <= most;
  });
}

/** The body is a string within the JSON of the response, so it is escaped twice. */
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(JSON.stringify(value)));

const cut = (texts: PartTexts, length: number) =>
  Object.fromEntries(
    Object.entries(texts).map(([part, text]) => [part, text === null ? null : shortened(text, length)]),
  ) as PartTexts;

/** Does not end with half of a surrogate pair. */
export const shortened = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`;
