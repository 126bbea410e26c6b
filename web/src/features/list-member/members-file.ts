import { csvOf } from '../../../../shared/csv.ts';
import type { ExportedMember, ListExportPage } from '../../../../shared/export.ts';
import { csvFile } from '../../lib/save-csv.ts';

/** What is loaded of the members so far: the browser may keep the pages out of its memory. */
export type Loaded = {
  pages: Blob[];
  keys: Set<string>;
  count: number;
  total: number;
  cursor: string | undefined;
  isComplete: boolean;
};

export const nothingLoaded = (total: number): Loaded => ({
  ...{ pages: [], keys: new Set(), count: 0, total, cursor: undefined, isComplete: false },
});

/** Loads the pages that are missing: after a failure, it goes on from where it was. */
export async function loadPages(
  load: (cursor: string | undefined) => Promise<ListExportPage>,
  loaded: Loaded,
  onProgress: (loaded: Loaded) => void,
): Promise<Loaded> {
  let current = loaded;
  while (!current.isComplete) {
    const { data, total, next_cursor } = await load(current.cursor);
    const count = current.count + data.length;
    current = {
      pages: [...current.pages, new Blob([JSON.stringify(data)])],
      keys: new Set([...current.keys, ...data.flatMap(({ metadata }) => Object.keys(metadata))]),
      count,
      // The count may be behind by a moment.
      total: Math.max(total, count),
      cursor: next_cursor ?? undefined,
      isComplete: next_cursor === null,
    };
    onProgress(current);
  }
  return current;
}

const OWN: [name: string, cell: (member: ExportedMember) => string | boolean][] = [
  ['email', ({ email }) => email],
  ['is_subscribed', ({ is_subscribed }) => is_subscribed],
  ['suppression', ({ suppression }) => suppression ?? ''],
  ['created_at', ({ created_at }) => created_at],
];
const OWN_NAMES = OWN.map(([name]) => name);

/** A key of metadata that is called like a column of ours. */
const columnOf = (key: string) => (OWN_NAMES.includes(key) ? `metadata.${key}` : key);

/** A file with a column for each key that anybody has, written page by page. */
export async function fileOf({ pages, keys }: Pick<Loaded, 'pages' | 'keys'>): Promise<Blob> {
  const columns = [...keys].sort();
  const parts = [csvOf([[...OWN_NAMES, ...columns.map(columnOf)]])];
  for (const page of pages) {
    const members: ExportedMember[] = JSON.parse(await page.text());
    parts.push(
      csvOf(
        members.map(member => [
          ...OWN.map(([, cell]) => cell(member)),
          ...columns.map(key => (Object.hasOwn(member.metadata, key) ? (member.metadata[key] ?? '') : '')),
        ]),
      ),
    );
  }
  return csvFile(parts);
}
