import { Box, Flex, Input } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { useController } from 'react-hook-form';
import { isDay } from '#shared/metadata.ts';
import { MOST_DATES_OFF } from '#shared/schedule.ts';
import { Button, IconButton } from '#web/components/button.tsx';
import { Checkbox } from '#web/components/checkbox.tsx';
import { Field, withoutSubmit } from '#web/components/field.tsx';
import { Panel } from '#web/components/panel.tsx';
import { useKeptFocus } from '#web/components/use-kept-focus.ts';
import { formatUtc } from '#web/lib/format.ts';
import type { Settings } from './automation-settings.ts';
import { Group, Legend } from './card.tsx';
import { DAY_NAMES, DAYS } from './schedule-texts.ts';

/** The days of the week and the dates on which nothing is sent. */
export default function OtherDays({ datesToo }: { datesToo: boolean }) {
  const errorId = useId();
  const { field, fieldState } = useController<Settings, 'days_off'>({ name: 'days_off' });
  const chosen = field.value;
  const error = fieldState.error?.message;
  return (
    <Box mt="2">
      <Group aria-describedby={error && errorId}>
        <Legend>Days of the week off</Legend>
        <Flex wrap="wrap" columnGap="4" rowGap="1">
          {DAYS.map((day, index) => (
            <Checkbox
              key={day}
              ref={index === 0 ? field.ref : undefined}
              checked={chosen.includes(day)}
              invalid={error !== undefined}
              onChange={isOff =>
                field.onChange(DAYS.filter(other => (other === day ? isOff : chosen.includes(other))))
              }
            >
              {DAY_NAMES[day]}
            </Checkbox>
          ))}
        </Flex>
        <Box id={errorId} role="alert" minHeight="5" color="fg.error" fontSize="sm" lineHeight="20px">
          {error}
        </Box>
      </Group>
      {datesToo && (
        <Box mt="1">
          <DatesOff />
        </Box>
      )}
    </Box>
  );
}

const unique = (dates: string[]) => [...new Set(dates)].sort();

/** The dates on which nothing is sent. A date that is typed but not added yet counts too, so that no input is lost. */
function DatesOff() {
  const { field, fieldState } = useController<Settings, 'dates_off'>({ name: 'dates_off' });
  const [dates, setDates] = useState(() => unique(field.value));
  const [typed, setTyped] = useState('');
  const isFull = dates.length >= MOST_DATES_OFF;

  function change(nextDates: string[], nextTyped: string) {
    setDates(nextDates);
    setTyped(nextTyped);
    field.onChange(unique([...nextDates, ...(isDay(nextTyped) ? [nextTyped] : [])]));
  }

  function add() {
    if (isDay(typed) && !isFull) change(unique([...dates, typed]), '');
  }

  function remove(date: string) {
    const others = dates.filter(other => other !== date);
    change(others, typed);
  }

  const kept = useKeptFocus(frame => frame.querySelector<HTMLElement>('input[type=date]'));

  return (
    <div {...kept}>
      <Field
        label="Dates off"
        hint={isFull && `At most ${MOST_DATES_OFF} dates can be days off.`}
        error={fieldState.error?.message}
      >
        <Flex gap="2">
          <Input
            ref={field.ref}
            name={field.name}
            onBlur={field.onBlur}
            type="date"
            disabled={isFull}
            width={{ base: 'full', sm: '150px' }}
            value={typed}
            onChange={({ target }) => change(dates, target.value)}
            onKeyDown={event => {
              withoutSubmit(event);
              if (event.key === 'Enter') add();
            }}
          />
          <Button onClick={add} disabled={isFull}>
            Add date
          </Button>
        </Flex>
        {dates.length > 0 && (
          <Flex
            as="ul"
            aria-label="Chosen dates"
            wrap="wrap"
            gap="1"
            mt="2"
            maxHeight="160px"
            overflowY="auto"
          >
            {dates.map(date => {
              const name = formatUtc(new Date(date));
              return (
                <Panel as="li" key={date} display="flex" alignItems="center" ps="2" borderRadius="md">
                  {name}
                  <IconButton label={`Remove ${name}`} onClick={() => remove(date)}>
                    <X aria-hidden />
                  </IconButton>
                </Panel>
              );
            })}
          </Flex>
        )}
      </Field>
    </div>
  );
}
