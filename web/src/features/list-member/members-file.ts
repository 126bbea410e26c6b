import { csvOf } from '#shared/csv.ts';
import type { ExportedMember, ListExportPage } from '#shared/export.ts';
import { csvFile } from '#web/lib/save-file.ts';

/** The pages that are loaded so far, as blobs, which a browser can keep outside of memory. */
export type Loaded = {
  pages: Blob[];
  keys: Set<string>;
  count: number;
  total: number;
  cursor: string | undefined;
  isComplete: boolean;
};

export const nothingLoaded = (total: number): Loaded => ({
  pages: [],
  keys: new Set(),
  count: 0,
  total,
  cursor: undefined,
  isComplete: false,
});

/** Loads the missing pages. After a failure, it resumes where it has stopped. */
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
      // The count may lag behind.
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

const CLAIMED = new RegExp(`^(?:metadata\\.)*(?:${OWN_NAMES.join('|')})$`);

/** Renames a metadata key that has the name of one of our columns, or that would clash with another renamed key. */
const columnOf = (key: string) => (CLAIMED.test(key) ? `metadata.${key}` : key);

/** A CSV file with a column for each key that any member has. Its rows are written page by page. */
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
