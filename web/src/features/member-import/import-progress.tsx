import { Box, Flex, Progress, Text } from '@chakra-ui/react';
import { faultOfColumns, type ImportCounts, type MemberImport } from '#shared/member-import.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { DataTable } from '#web/components/data-table.tsx';
import { Fact, Facts } from '#web/components/facts.tsx';
import { Notice } from '#web/components/notice.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { countText, formatNumber, plural } from '#web/lib/format.ts';
import { newAutomationFor, paths } from '#web/lib/paths.ts';
import { shownRow } from './choose-file.tsx';
import { ImportEmails } from './import-emails.tsx';
import type { ReadFile } from './reading/csv.ts';
import type { Import } from './use-import.ts';
import type { Running, Tally } from './use-run.ts';

type Props = { of: Import; list: string; file: ReadFile };

export function ImportProgress({ of, list, file }: Props) {
  const { current, run } = of;
  const { running } = run;
  if (current && !running) return <Continue current={current} resume={run.resume} />;
  if (!running) return <Check choices={of.choices} check={run.check} />;
  return (
    <Section title={titleOf(running)}>
      {running.state === 'ended' ? (
        <Ended of={of} running={running} list={list} file={file} />
      ) : (
        <InProgress running={running} run={run} />
      )}
      <RefusedRows tally={running.tally} file={file} />
    </Section>
  );
}

const titleOf = ({ isCheck, state }: Running) =>
  isCheck ? 'What will happen' : state === 'ended' ? 'Result' : 'Import';

type Run = Import['run'];

type CheckProps = Pick<Import, 'choices'> & Pick<Run, 'check'>;

function Check({ choices: { imported, needsSource, options }, check }: CheckProps) {
  const lacksSource = needsSource && options.source.trim() === '';
  const fault = faultOfColumns(imported);
  return (
    <Section title="What will happen" note="A dry run looks at every row and stores nothing.">
      {lacksSource && !fault && (
        <Text mb="3" color="fg.muted" fontSize="sm">
          First say above how these people agreed to get your emails.
        </Text>
      )}
      <Button variant="solid" disabled={fault !== undefined || lacksSource} onClick={() => void check()}>
        Check the file
      </Button>
    </Section>
  );
}

function Continue({ current, resume }: { current: MemberImport } & Pick<Run, 'resume'>) {
  const { done_rows, total_rows, counts } = current;
  return (
    <Section title="Continue">
      <Panel p="4">
        <Text mb="3">
          {formatNumber(done_rows)} of {plural(total_rows, 'row')} of this file are imported,{' '}
          {formatNumber(counts.rejected)} of them refused. It continues with the next row, with the same
          columns and options.
        </Text>
        <Button variant="solid" onClick={() => void resume()}>
          Continue the import
        </Button>
      </Panel>
    </Section>
  );
}

type InProgressProps = { running: Running; run: Pick<Run, 'pause' | 'resume' | 'check'> };

function InProgress({ running, run: { pause, resume, check } }: InProgressProps) {
  const { isCheck, state, tally, total, error } = running;
  const text = `${formatNumber(tally.done)} of ${plural(total, 'row')} ${isCheck ? 'checked' : 'imported'}`;
  const isPaused = state === 'paused';
  return (
    <Panel p="4">
      <Progress.Root value={tally.done} max={total} aria-label={text}>
        <Progress.Label>{text}</Progress.Label>
        <Progress.Track>
          <Progress.Range />
        </Progress.Track>
      </Progress.Root>
      <Flex wrap="wrap" align="center" justify="space-between" gap="3" mt="3">
        <Text color="fg.muted" fontVariantNumeric="tabular-nums" minHeight="20px">
          {isPaused ? 'Paused.' : paceOf(running)}
        </Text>
        {isPaused ? (
          <Button variant="solid" onClick={() => void (isCheck ? check() : resume())}>
            {isCheck ? 'Check again' : 'Continue'}
          </Button>
        ) : (
          <Button loading={state === 'pausing'} loadingText="Pausing..." onClick={pause}>
            {isCheck ? 'Stop' : 'Pause'}
          </Button>
        )}
      </Flex>
      {error && (
        <Notice tone="error" mt="3">
          {error}{' '}
          {isCheck
            ? 'Nothing is stored: check again when it is solved.'
            : 'What is imported stays: continue when it is solved.'}
        </Notice>
      )}
    </Panel>
  );
}

function paceOf({ tally, total, since, first, waiting }: Running): string {
  if (waiting !== undefined) return `The server takes more rows in ${plural(Math.ceil(waiting), 'second')}.`;
  const seconds = (performance.now() - since) / 1000;
  const rate = (tally.done - first + 1) / seconds;
  if (!(rate > 0) || seconds < 1) return 'Starting...';
  const left = (total - tally.done) / rate;
  const time = left >= 90 ? plural(Math.round(left / 60), 'minute') : plural(Math.ceil(left), 'second');
  return `${plural(Math.round(rate), 'row')} a second, about ${time} left`;
}

function Ended({ of, running, file, list }: Props & { running: Running }) {
  const { current, run, saveRefused, reset } = of;
  const { isCheck, tally } = running;
  const { rejected } = tally.counts;
  const stored = file.rows - rejected;
  return (
    <>
      <Panel p="4" containerType="inline-size">
        <Counts counts={tally.counts} isCheck={isCheck} />
      </Panel>
      {isCheck && running.forecast !== undefined && <ImportEmails forecast={running.forecast} />}
      <UnreadDates running={running} />
      <Flex wrap="wrap" gap="2" mt="4">
        {isCheck ? (
          <Button variant="solid" disabled={stored === 0} onClick={() => void run.begin()}>
            Import {plural(stored, 'row')}
          </Button>
        ) : (
          <>
            <ButtonLink variant="solid" to={paths.list(list)}>
              See the members
            </ButtonLink>
            <ButtonLink to={newAutomationFor(list)}>Create an automation</ButtonLink>
            {current && <Button onClick={reset}>Import another file</Button>}
          </>
        )}
        {rejected > 0 && <Button onClick={() => void saveRefused()}>Save refused rows</Button>}
      </Flex>
      {isCheck && stored === 0 && (
        <Notice tone="warning" mt="3">
          Every row is refused: see why below. Choose other columns, or correct the file.
        </Notice>
      )}
    </>
  );
}

const COUNTS: [keyof ImportCounts, string, string][] = [
  ['created', 'New members', 'New members'],
  ['updated', 'Members to update', 'Updated members'],
  ['unchanged', 'Unchanged members', 'Unchanged members'],
  ['skipped', 'Members to skip', 'Skipped members'],
  ['rejected', 'Refused rows', 'Refused rows'],
  ['stays_unsubscribed', 'Stay unsubscribed', 'Stay unsubscribed'],
];

const Counts = ({ counts, isCheck }: { counts: ImportCounts; isCheck: boolean }) => (
  <Facts orientation="vertical" aria-label={isCheck ? 'What will happen' : 'Result'}>
    {COUNTS.map(([name, before, after]) => (
      <Fact key={name} name={isCheck ? before : after}>
        {formatNumber(counts[name])}
      </Fact>
    ))}
  </Facts>
);

const UnreadDates = ({ running: { unreadDates = [] } }: { running: Running }) =>
  unreadDates.map(({ column, count, samples }) => (
    <Notice key={column} tone="warning" mt="3">
      {plural(count, 'date')} in {column} could not be read: {samples.join(', ')}
      {count > samples.length && ' …'}. Stored as text, such a value starts no automation.
    </Notice>
  ));

function RefusedRows({ tally: { errors, counts }, file }: { tally: Tally; file: ReadFile }) {
  if (errors.length === 0) return null;
  return (
    <Box mt="4">
      <Text mb="2" fontWeight="medium">
        {counts.rejected > errors.length
          ? `The first of ${plural(counts.rejected, 'refused row')}`
          : 'Refused rows'}
      </Text>
      <DataTable
        label="Refused rows"
        rows={errors.map((error, index) => ({ ...error, id: String(index) }))}
        rowKey={({ id }) => id}
        count={countText(errors.length, 'row')}
        columns={[
          { key: 'row', header: 'Row', width: '80px', cell: ({ row }) => shownRow(row, file) },
          { key: 'reason', header: 'Reason', width: 'minmax(0, 2fr)', cell: ({ reason }) => reason },
          { key: 'column', header: 'Column', cell: ({ column }) => column },
          { key: 'value', header: 'Value', cell: ({ value }) => value },
        ]}
        empty={null}
      />
    </Box>
  );
}
