import { chakra, Flex, Text } from '@chakra-ui/react';
import { type SubmitEvent, useId, useState } from 'react';
import { type Range, rangeFault, SELECT_DATES } from '#shared/report/range.ts';
import { Button } from '#web/components/button.tsx';
import type { DayRange } from '#web/components/range-calendar.tsx';
import { RangeFields } from '#web/components/range-fields.tsx';
import { lastDays } from '#web/lib/last-days.ts';
import { toast } from '#web/lib/toasts.ts';
import { isSameRange, PRESETS } from './periods.ts';

const Form = chakra('form', { base: { mb: '5' } });

type Props = {
  range: Range;
  action: string;
  isLoading: boolean;
  onChange: (range: Range) => void;
  /** Called if the submitted range is the same as before. */
  onRepeat: () => void;
};

export function RangeForm({ range, action, isLoading, onChange, onRepeat }: Props) {
  const id = useId();
  const [shown, setShown] = useState(range);
  const [days, setDays] = useState<DayRange>([range.start_date, range.end_date]);
  const [error, setError] = useState<string>();
  // The range was changed by the history or by a preset.
  if (!isSameRange(shown, range)) {
    setShown(range);
    setDays([range.start_date, range.end_date]);
    setError(undefined);
  }

  function choose(next: Range) {
    setDays([next.start_date, next.end_date]);
    setError(undefined);
    if (isSameRange(next, range)) onRepeat();
    else onChange(next);
  }

  function submit(event: SubmitEvent) {
    event.preventDefault();
    const [start_date, end_date] = days;
    const next = { start_date, end_date };
    const fault = start_date && end_date ? rangeFault(next) : SELECT_DATES;
    setError(fault);
    if (!fault) choose(next);
  }

  return (
    <Form noValidate onSubmit={submit} aria-label="Date range">
      <Flex wrap="wrap" align="flex-end" gap="2">
        <RangeFields value={days} onChange={setDays} describedBy={id} invalid={error !== undefined} />
        {Object.entries(PRESETS).map(([name, count]) => (
          <Button
            key={name}
            variant="ghost"
            aria-pressed={isSameRange(range, lastDays(count))}
            _pressed={{ bg: 'bg.subtle', color: 'fg' }}
            onClick={() => choose(lastDays(count))}
          >
            {name}
          </Button>
        ))}
        <Button type="submit" variant="solid" loading={isLoading}>
          {action}
        </Button>
      </Flex>
      <Text
        id={id}
        role={error ? 'alert' : undefined}
        mt="1.5"
        fontSize="xs"
        color={error ? 'fg.error' : 'fg.muted'}
      >
        {error ??
          'Days are UTC days. Everything counts on the day of its email; value that names no email, on the day on which it was posted.'}
      </Text>
    </Form>
  );
}

export async function exportCsv(save: (csv: typeof import('./report-csv.ts')) => void): Promise<void> {
  try {
    save(await import('./report-csv.ts'));
  } catch {
    toast('Failed to export the report. Please try again.', 'error');
  }
}
