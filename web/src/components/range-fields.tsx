import { Box, Flex, Input } from '@chakra-ui/react';
import { CalendarDays } from 'lucide-react';
import { useId, useState } from 'react';
import { IconButton } from './button.tsx';
import { onDemand } from './on-demand.tsx';
import type { DayRange } from './range-calendar.tsx';

const RangeCalendar = onDemand(() => import('./range-calendar.tsx'));

type Props = { value: DayRange; onChange: (days: DayRange) => void; describedBy?: string; invalid?: boolean };

// Hides the native calendar button: it would open a calendar for each field.
const OWN_BUTTON = { '&::-webkit-calendar-picker-indicator': { display: 'none' } };

export function RangeFields({ value, onChange, describedBy, invalid = false }: Props) {
  const [start, end] = value;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const field = (label: string, day: string, change: (day: string) => void) => (
    <Box as="label" fontSize="xs" color="fg.muted" flex={{ base: '1 1 120px', sm: '0 0 auto' }}>
      {label}
      <Input
        type="date"
        display="block"
        width={{ base: 'full', sm: '136px' }}
        mt="0.5"
        color="fg"
        css={OWN_BUTTON}
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
        value={day}
        onChange={event => change(event.target.value)}
      />
    </Box>
  );
  return (
    <Flex wrap="wrap" align="flex-end" gap="2" width={{ base: 'full', sm: 'auto' }}>
      {field('Start date', start, day => onChange([day, end]))}
      {field('End date', end, day => onChange([start, day]))}
      <IconButton
        id={id}
        label="Choose in a calendar"
        variant="outline"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <CalendarDays aria-hidden />
      </IconButton>
      {isOpen && (
        <RangeCalendar trigger={id} value={value} onChange={onChange} onClose={() => setOpen(false)} />
      )}
    </Flex>
  );
}
