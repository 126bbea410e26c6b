import { chakra, Progress } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import { Button } from '#web/components/button.tsx';
import { ToneIcon } from '#web/components/notice.tsx';
import { useKeptFocus } from '#web/components/use-kept-focus.ts';
import { formatNumber } from '#web/lib/format.ts';
import { hasFailed, MOST_SELECTED, progressText, type Run, resultText, type useBulk } from './bulk.ts';

// Sticky below the table and left of the pager: it is always in view, and moves nothing.
const Bar = chakra('section', {
  base: {
    position: 'sticky',
    bottom: '3',
    zIndex: 'header',
    display: 'flex',
    flexWrap: { base: 'wrap', md: 'nowrap' },
    alignItems: 'center',
    gap: '2',
    width: 'fit-content',
    maxWidth: { base: 'full', md: 'max(420px, 100% - 260px)' },
    mt: '3',
    px: '3',
    py: '2',
    bg: 'bg.panel',
    borderWidth: '1px',
    borderColor: 'border.emphasized',
    borderRadius: 'lg',
    boxShadow: 'panel',
    fontSize: 'sm',
    _icon: { width: '4', height: '4', flexShrink: 0 },
  },
});
const Text = chakra('p', {
  base: { flex: { base: '1 1 75%', md: '1 1 auto' }, minWidth: 0, overflowWrap: 'anywhere' },
});

type Props = {
  selected: number;
  shown: number;
  /** How many members can be selected, on all pages; undefined if all are selected, or if that is unknown. */
  total: number | undefined;
  selectAll: { run: () => unknown; isRunning: boolean; error: string | undefined };
  onUnsubscribe: () => void;
  onDelete: () => void;
  onClear: () => void;
} & Pick<ReturnType<typeof useBulk>, 'run' | 'stop' | 'retry' | 'dismiss'>;

export default function BulkBar(props: Props) {
  const { run } = props;
  const keptFocus = useKeptFocus(bar => bar.querySelector<HTMLElement>('button'));
  const bar = useRef<HTMLElement>(null);

  // On a phone, the bar would cover the row that was just selected, and rows that get the focus.
  useEffect(() => {
    const { documentElement: root, activeElement } = document;
    root.style.scrollPaddingBottom = `${(bar.current?.offsetHeight ?? 0) + 24}px`;
    activeElement?.closest('tr')?.scrollIntoView({ block: 'nearest' });
    return () => {
      root.style.scrollPaddingBottom = '';
    };
  }, []);
  return (
    <Bar ref={bar} data-uncovered aria-label="Selected members" {...keptFocus}>
      {!run ? (
        <Choices {...props} />
      ) : run.isRunning ? (
        <Running {...props} run={run} />
      ) : (
        <Result {...props} run={run} />
      )}
    </Bar>
  );
}

function Choices({ selected, shown, total, selectAll, onUnsubscribe, onDelete, onClear }: Props) {
  const isBounded = total !== undefined && total > MOST_SELECTED;
  return (
    <>
      <Text role="status" whiteSpace="nowrap">
        {selectAll.error ??
          `${formatNumber(selected)} selected${shown < selected ? `, ${formatNumber(shown)} on this page` : ''}`}
      </Text>
      {total !== undefined && (
        <Button
          variant="ghost"
          loading={selectAll.isRunning}
          loadingText="Selecting..."
          onClick={selectAll.run}
        >
          {isBounded
            ? `Select ${formatNumber(MOST_SELECTED)}, the most at once, of ${formatNumber(total)}`
            : `Select all ${formatNumber(total)}`}
        </Button>
      )}
      <Button onClick={onUnsubscribe}>Unsubscribe</Button>
      <Button onClick={onDelete}>Delete members</Button>
      <Button variant="ghost" aria-label="Clear selection" onClick={onClear}>
        Clear
      </Button>
    </>
  );
}

type WithRun = Props & { run: Run };

function Running({ run, stop }: WithRun) {
  const text = progressText(run);
  return (
    <>
      <Progress.Root value={run.results.size} max={run.members.length} aria-label={text} width="240px">
        <Progress.Label>{text}</Progress.Label>
        <Progress.Track>
          <Progress.Range />
        </Progress.Track>
      </Progress.Root>
      <Button onClick={stop}>Stop</Button>
    </>
  );
}

function Result({ run, retry, dismiss }: WithRun) {
  const isStopped = run.results.size < run.members.length;
  return (
    <>
      <ToneIcon tone={hasFailed(run) ? 'error' : 'warning'} />
      <Text role="alert">{resultText(run)}</Text>
      <Button onClick={retry}>{isStopped ? 'Continue' : 'Retry'}</Button>
      <Button variant="ghost" onClick={dismiss}>
        Dismiss
      </Button>
    </>
  );
}
