import { DatePicker, type DateValue, Flex, parseDate, useDatePickerContext } from '@chakra-ui/react';
import { useState } from 'react';
import { LandmarkPortal, POPOVER_PANEL } from './landmark-portal.tsx';

/** Two days, as `yyyy-mm-dd`; empty if none is chosen. */
export type DayRange = [start: string, end: string];

const SQUARE = {
  display: 'grid',
  placeItems: 'center',
  width: 'control',
  height: 'control',
  borderRadius: 'md',
  _hover: { bg: 'bg.subtle' },
} as const;

const STEP = { ...SQUARE, color: 'fg.muted', _icon: { width: '4', height: '4' } } as const;

const DAY = {
  ...SQUARE,
  cursor: 'pointer',
  fontVariantNumeric: 'tabular-nums',
  '&[data-outside-range]': { visibility: 'hidden' },
  '&[data-in-range]:not([data-outside-range])': { bg: 'brand.wash', borderRadius: '0' },
  '&[data-in-hover-range]:not([data-outside-range])': { bg: 'bg.subtle', borderRadius: '0' },
  '&[data-today]': { textDecoration: 'underline', textUnderlineOffset: '3px' },
  '&:is([data-range-start], [data-range-end], [data-selected]):not([data-outside-range])': {
    bg: 'action',
    color: 'action.ink',
    borderRadius: 'md',
  },
  '&:focus-visible': { outline: '2px solid', outlineColor: 'focus', outlineOffset: '-2px' },
} as const;

const WIDE = '(min-width: 40rem)';
const monthOf = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

type Props = { trigger: string; value: DayRange; onChange: (days: DayRange) => void; onClose: () => void };

export default function RangeCalendar({ trigger, value, onChange, onClose }: Props) {
  const [months] = useState(() => (matchMedia(WIDE).matches ? 2 : 1));
  const button = document.getElementById(trigger);
  const days = value.filter(Boolean).map(day => parseDate(day));
  return (
    <DatePicker.Root
      open
      // Takes up no room among the fields.
      display="contents"
      ids={{ trigger }}
      selectionMode="range"
      numOfMonths={months}
      locale="en-US"
      timeZone="UTC"
      startOfWeek={1}
      value={days}
      defaultFocusedValue={days[0]}
      onValueChange={({ value }) => onChange(daysOf(value))}
      onOpenChange={({ open }) => {
        if (open) return;
        onClose();
        button?.focus();
      }}
      positioning={{
        placement: 'bottom-start',
        gutter: 4,
        strategy: 'fixed',
        getAnchorElement: () => button,
      }}
    >
      <LandmarkPortal of={button}>
        <DatePicker.Positioner>
          <DatePicker.Content
            ref={takeFocus}
            aria-label="Calendar"
            {...POPOVER_PANEL}
            maxHeight="var(--available-height)"
          >
            <DatePicker.View view="day">
              <Flex gap="5">
                {Array.from({ length: months }, (_, nth) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the months keep their places
                  <Month key={nth} nth={nth} isLast={nth === months - 1} />
                ))}
              </Flex>
            </DatePicker.View>
          </DatePicker.Content>
        </DatePicker.Positioner>
      </LandmarkPortal>
    </DatePicker.Root>
  );
}

/** Zag moves the focus only if the calendar was closed before. */
const takeFocus = (calendar: HTMLElement | null) =>
  calendar
    ?.querySelector<HTMLElement>('[data-part=table-cell-trigger][tabindex="0"]')
    ?.focus({ preventScroll: true });

const daysOf = ([start, end]: DateValue[]): DayRange => [start?.toString() ?? '', end?.toString() ?? ''];

function Month({ nth, isLast }: { nth: number; isLast: boolean }) {
  const { getOffset, weekDays } = useDatePickerContext();
  const { weeks, visibleRange } = getOffset({ months: nth });
  return (
    <div>
      <Flex align="center" justify="space-between" minHeight="control">
        <DatePicker.PrevTrigger {...STEP} visibility={nth === 0 ? undefined : 'hidden'} />
        <span>{monthOf.format(visibleRange.start.toDate('UTC'))}</span>
        <DatePicker.NextTrigger {...STEP} visibility={isLast ? undefined : 'hidden'} />
      </Flex>
      <DatePicker.Table>
        <DatePicker.TableHead>
          <DatePicker.TableRow>
            {weekDays.map(day => (
              <DatePicker.TableHeader
                key={day.short}
                aria-label={day.long}
                height="6"
                color="fg.muted"
                fontSize="xs"
                fontWeight="normal"
                textAlign="center"
              >
                {day.narrow}
              </DatePicker.TableHeader>
            ))}
          </DatePicker.TableRow>
        </DatePicker.TableHead>
        <DatePicker.TableBody>
          {weeks.map(week => (
            <DatePicker.TableRow key={String(week[0])}>
              {week.map(day => (
                <DatePicker.TableCell key={String(day)} value={day} visibleRange={visibleRange} p="0">
                  <DatePicker.TableCellTrigger {...DAY}>{day.day}</DatePicker.TableCellTrigger>
                </DatePicker.TableCell>
              ))}
            </DatePicker.TableRow>
          ))}
        </DatePicker.TableBody>
      </DatePicker.Table>
    </div>
  );
}
