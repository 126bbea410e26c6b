import { PART_NAMES, PARTS, type Part } from '../email/content.ts';

export type Titled = {
  id: string;
  type: 'template' | 'asset';
  /** The name of the template, or the names of the assets that have one. */
  combination: string;
  /** The number of the version of the template, if there are others: they have the same name. */
  version?: number | undefined;
  asset_ids: Partial<Record<Part, string>>;
  assets: Partial<Record<Part, string | null>>;
};

type Names = Readonly<Record<string, string>>;

const SEPARATOR = ' / ';

/** The length of a title, unless it has more parts than fit. */
const TITLE_LENGTH = 84;
const SHORTEST_LABEL = 10;

/** By the parts in which combinations that share assets differ. Empty if nothing has a name or a text. */
export function combinationTitles(
  rows: readonly Titled[],
  names: Names,
  length = TITLE_LENGTH,
): Map<string, string> {
  const titles = new Map(rows.map(row => [row.id, wholeName(row, names)]));
  for (const family of familiesOf(rows)) {
    const differing = PART_NAMES.filter(part => new Set(family.map(row => row.asset_ids[part])).size > 1);
    const most = Math.max(SHORTEST_LABEL, Math.floor(length / differing.length) - SEPARATOR.length);
    const labels = new Map(differing.map(part => [part, labelsOfPart(family, names, part, most)]));
    for (const { id, asset_ids } of family) {
      const pieces = differing.map(
        part => labels.get(part)?.get(asset_ids[part] ?? '') ?? `Without ${PARTS[part]}`,
      );
      if (pieces.length > 0) titles.set(id, pieces.join(SEPARATOR));
    }
  }
  return titles;
}

/** The name of a combination as a whole: the one name of its assets, if they are of a set. */
function wholeName({ combination, version, asset_ids }: Titled, names: Names): string {
  const [name, ...others] = new Set(Object.values(asset_ids).flatMap(id => names[id] || []));
  return name && others.length === 0 ? name : versionTitle(combination, version);
}

/** Groups combinations that share assets, directly or through others. */
function familiesOf(rows: readonly Titled[]): Titled[][] {
  const leaders = new Map(rows.map(row => [row, row]));
  const above = (row: Titled) => leaders.get(row) ?? row;
  function leaderOf(row: Titled): Titled {
    let at = row;
    while (above(at) !== at) {
      leaders.set(at, above(above(at)));
      at = above(at);
    }
    return at;
  }
  const firstWith = new Map<string, Titled>();
  const combined = rows.filter(({ type }) => type === 'asset');
  for (const row of combined) {
    for (const [part, asset] of Object.entries(row.asset_ids)) {
      if (!asset) continue;
      const key = `${part} ${asset}`;
      const first = firstWith.get(key);
      if (first) leaders.set(leaderOf(row), leaderOf(first));
      else firstWith.set(key, row);
    }
  }
  return [...Map.groupBy(combined, leaderOf).values()];
}

function labelsOfPart(
  family: readonly Titled[],
  names: Names,
  part: Part,
  length: number,
): Map<string, string> {
  const variants = new Map(
    family.flatMap(({ asset_ids, assets }): [string, Variant][] => {
      const id = asset_ids[part];
      return id === undefined ? [] : [[id, { name: names[id], text: assets[part] }]];
    }),
  );
  return variantLabels(variants, length);
}

export type Variant = { name?: string | null | undefined; text?: string | null | undefined };

const MOST_COMPARED = 500;
const oneLine = (text: string) => text.slice(0, MOST_COMPARED).replace(/\s+/g, ' ').trim();

/** Its name, or its text if another variant may have the same name; shortened to where the labels differ. */
export function variantLabels(variants: Map<string, Variant>, length: number): Map<string, string> {
  const names = Map.groupBy(variants.values(), ({ name }) => name ?? '');
  const isOwn = ({ name }: Variant) => name && names.get(name)?.length === 1;
  const textOf = ({ text }: Variant) => oneLine(text ?? '');
  const texts = new Set([...variants.values()].filter(one => !isOwn(one)).map(textOf));
  const labels = [...variants].map(([id, one]): [string, string] => {
    const { name } = one;
    // Another variant may have this one's name as its text.
    const isTold = isOwn(one) && name && !texts.has(name);
    return [id, (isTold && name) || textOf(one) || name || id];
  });
  const short = shortened(
    labels.map(([, label]) => label),
    length,
  );
  return new Map(labels.map(([id], at) => [id, short[at] ?? id]));
}

/** Shortens each text to its beginning, or to the place where it differs from texts that begin alike. */
function shortened(texts: string[], length: number): string[] {
  const whole = new Map(texts.map(text => [text, [...text]]));
  // Sorted, texts with the longest common beginning are neighbours.
  const sorted = [...whole.keys()].sort();
  const short = new Map(
    sorted.map((text, at) => {
      const characters = whole.get(text) ?? [];
      if (characters.length <= length) return [text, text];
      const ends = [sorted[at - 1], sorted[at + 1]].map(other =>
        commonLength(characters, whole.get(other ?? '')),
      );
      const differs = Math.max(0, ...ends.filter(end => end < characters.length));
      return [text, cut(characters, differs, length)];
    }),
  );
  const isLost = new Set(short.values()).size < short.size;
  return isLost ? texts : texts.map(text => short.get(text) ?? text);
}

function commonLength(text: string[], other: string[] = []): number {
  const end = text.findIndex((character, at) => character !== other[at]);
  return end < 0 ? text.length : end;
}

/** Cuts `length` characters, among them the one at `differs`. */
function cut(text: string[], differs: number, length: number): string {
  if (differs < length - 1)
    return `${text
      .slice(0, length - 1)
      .join('')
      .trimEnd()}…`;
  // A third of it is the text before, from the beginning of a word on if there is one.
  const earliest = Math.min(differs - Math.floor(length / 3), text.length - length + 1);
  const space = text.indexOf(' ', earliest);
  const from = space >= 0 && space < differs ? space + 1 : earliest;
  const end = from + length > text.length ? text.length : from + length - 2;
  return `…${text.slice(from, end).join('').trimEnd()}${end < text.length ? '…' : ''}`;
}

/** The name of content that has several versions, beside that of the others. */
export const versionTitle = (name: string, version: number | undefined) =>
  version !== undefined && name ? `${name}, version ${version}` : name;
