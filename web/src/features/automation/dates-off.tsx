import { chakra, Flex, Input } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useController } from 'react-hook-form';
import { isDay } from '#shared/metadata.ts';
import { MOST_DATES_OFF } from '#shared/send-times.ts';
import { Button, IconButton } from '#web/components/button.tsx';
import { Field } from '#web/components/field.tsx';
import { useKeptFocus } from '#web/components/use-kept-focus.ts';
import { formatUtc } from '#web/lib/format.ts';
import type { Settings } from './automation-settings.ts';

const Dates = chakra('ul', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: '1',
    mt: '2',
    maxHeight: '160px',
    overflowY: 'auto',
    fontSize: 'sm',
  },
});
const Chosen = chakra('li', {
  base: {
    display: 'flex',
    alignItems: 'center',
    ps: '2',
    borderWidth: '1px',
    borderRadius: 'md',
    bg: 'bg.panel',
  },
});

const unique = (dates: string[]) => [...new Set(dates)].sort();

/** The dates on which nothing is sent. A date that is typed but not added yet counts too, so that no input is lost. */
export function DatesOff() {
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

  function addOnEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter') return;
    // Enter would submit the form.
    event.preventDefault();
    add();
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
            onKeyDown={addOnEnter}
          />
          <Button onClick={add} disabled={isFull}>
            Add date
          </Button>
        </Flex>
        {dates.length > 0 && (
          <Dates aria-label="Chosen dates">
            {dates.map(date => {
              const name = formatUtc(new Date(date));
              return (
                <Chosen key={date}>
                  {name}
                  <IconButton
                    label={`Remove ${name}`}
                    onClick={() =>
                      change(
                        dates.filter(other => other !== date),
                        typed,
                      )
                    }
                  >
                    <X aria-hidden />
                  </IconButton>
                </Chosen>
              );
            })}
          </Dates>
        )}
      </Field>
    </div>
  );
}
