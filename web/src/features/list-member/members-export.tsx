import { Box, Progress } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { csvOf } from '#shared/csv.ts';
import type { ExportedMember, ListExportPage } from '#shared/export.ts';
import type { EmailList } from '#shared/list.ts';
import { Actions } from '#web/components/actions.tsx';
import { Button } from '#web/components/button.tsx';
import { Modal } from '#web/components/modal.tsx';
import { useOrganizationCall } from '#web/lib/data.ts';
import { formatNumber, plural } from '#web/lib/format.ts';
import { messageOf } from '#web/lib/problem.ts';
import { csvFile, fileNameOf, saveFile, today } from '#web/lib/save-file.ts';
import { toast } from '#web/lib/toasts.ts';

type Props = { list: Pick<EmailList, 'id' | 'name' | 'members_count'>; onClose: () => void };

/** Loads all members of a list and saves them as a file. Closing the dialog stops that. */
export default function MembersExport({ list: { id, name, members_count }, onClose }: Props) {
  const call = useOrganizationCall();
  const [loaded, setLoaded] = useState(() => nothingLoaded(members_count));
  const [problem, setProblem] = useState<string>();
  const run = useRef<AbortController>(undefined);

  async function start() {
    const abort = new AbortController();
    run.current = abort;
    setProblem(undefined);
    const { signal } = abort;
    const load = (cursor: string | undefined) =>
      call('GET /api/email-lists/{list}/export', {
        params: { list: id },
        query: { ...(cursor && { cursor }) },
        signal,
      });
    try {
      const all = await loadPages(load, loaded, current => !signal.aborted && setLoaded(current));
      const file = await fileOf(all);
      if (signal.aborted) return;
      saveFile(`${fileNameOf(name)}_${today()}.csv`, file);
      toast(`The file has ${plural(all.count, 'member')}.`);
      onClose();
    } catch (error) {
      if (!signal.aborted) setProblem(messageOf(error));
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    void start();
    return () => run.current?.abort();
  }, []);

  const text = `${formatNumber(loaded.count)} of ${plural(loaded.total, 'member')}`;
  return (
    <Modal title="Export members" onClose={onClose} width="440px">
      <Box mb="3" color="fg.muted">
        All members of {name}, subscribed or not, with their metadata, as a CSV file.
      </Box>
      <Progress.Root value={loaded.count} max={Math.max(1, loaded.total)} aria-label={text} mb="6">
        <Progress.Label>{text}</Progress.Label>
        <Progress.Track>
          <Progress.Range />
        </Progress.Track>
      </Progress.Root>
      <Actions error={problem}>
        <Button onClick={onClose}>Cancel</Button>
        {problem && (
          <Button variant="solid" onClick={() => void start()}>
            Continue
          </Button>
        )}
      </Actions>
    </Modal>
  );
}

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
