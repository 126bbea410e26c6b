import { Box } from '@chakra-ui/react';
import { Notice } from '#web/components/notice.tsx';
import { useKeptFocus } from '#web/components/use-kept-focus.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { formatNumber } from '#web/lib/format.ts';
import { useMay } from '#web/lib/organization.ts';
import { ChooseColumns, ChooseOptions } from './choices.tsx';
import { ChooseFile } from './choose-file.tsx';
import { ImportProgress } from './import-progress.tsx';
import { ImportsTable } from './imports-table.tsx';
import { type Import, useImport } from './use-import.ts';

/** The steps of an import, one below the other. A step is shown when all steps before it are done. */
export default function ImportSteps({ list }: { list: string }) {
  const {
    data: imports,
    error,
    mutate,
  } = useOrganizationData('GET /api/email-lists/{list}/imports', { params: { list } });
  const mayImport = useMay()('list-members:edit');
  const all = useImport(list, imports);
  const { chosen, choices, current, run } = all;
  const { file } = chosen;
  const waiting = imports?.find(({ state }) => state === 'running');
  // While rows are being sent, the choices are locked.
  const isChosen = current !== undefined || (run.running?.isCheck && run.isActive);
  const keptFocus = useKeptFocus(nextControl);
  return (
    <Box {...keptFocus}>
      {mayImport && waiting && !file && (
        <Notice tone="info" mb="4">
          {formatNumber(waiting.done_rows)} of {formatNumber(waiting.total_rows)} rows of {waiting.file_name}{' '}
          are imported: choose {waiting.file_name} again to continue.
        </Notice>
      )}
      {mayImport && (
        <ChooseFile
          chosen={chosen}
          isActive={run.isActive}
          changed={changedFile(all, imports)}
          choose={all.choose}
          reset={all.reset}
        />
      )}
      {file && !isChosen && <ChooseColumns {...choices} file={file} />}
      {file && !isChosen && <ChooseOptions {...choices} />}
      {file && <ImportProgress of={all} list={list} file={file} />}
      <ImportsTable
        list={list}
        imports={imports?.map(one => (one.id === current?.id ? current : one))}
        problem={error}
        onRetry={() => void mutate()}
      />
    </Box>
  );
}

/** When a step is replaced by the next one: the control that completes that step, or its first control. */
function nextControl(frame: Element): HTMLElement | null {
  const step = [...frame.querySelectorAll('section')].at(-2);
  return step?.querySelector<HTMLElement>(CONTROL) ?? frame.querySelector<HTMLElement>(CONTROL);
}

/** Of the file, while it is read, its progress. */
const CONTROL = 'button:enabled, a[href], [data-reading]';

/** An unfinished import that cannot be continued, since the chosen file has changed. */
const changedFile = ({ chosen: { file }, current }: Import, imports: Parameters<typeof useImport>[1]) =>
  file && !current ? imports?.find(one => one.state === 'running' && one.file_name === file.name) : undefined;
