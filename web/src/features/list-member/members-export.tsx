import { Box, Progress } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import type { EmailList } from '#shared/list.ts';
import { Actions } from '#web/components/actions.tsx';
import { Button } from '#web/components/button.tsx';
import { Modal } from '#web/components/modal.tsx';
import { useOrganizationCall } from '#web/lib/data.ts';
import { formatNumber, plural } from '#web/lib/format.ts';
import { messageOf } from '#web/lib/problem.ts';
import { fileNameOf, saveFile, today } from '#web/lib/save-file.ts';
import { toast } from '#web/lib/toasts.ts';
import { fileOf, loadPages, nothingLoaded } from './members-file.ts';

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
