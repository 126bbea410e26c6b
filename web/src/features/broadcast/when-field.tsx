import { Input } from '@chakra-ui/react';
import { type ChangeEvent, useState } from 'react';
import { useController } from 'react-hook-form';
import type * as z from 'zod/mini';
import type { NewBroadcast } from '#shared/broadcast.ts';
import { Field, FieldGrid } from '#web/components/field.tsx';
import { optionsOf, Select } from '#web/components/select.tsx';
import { ownZone, zoneLabel } from '#web/lib/zones.ts';

export type Values = z.input<typeof NewBroadcast>;

type Kind = 'now' | 'at' | 'local_at';

const KINDS = optionsOf({
  now: 'Now',
  at: 'At a date and time',
  local_at: 'At a local time of each member',
} satisfies Record<Kind, string>);

/** As the control has it, in the time zone of the browser. */
function localTextOf(instant: string): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return '';
  date.setMinutes(date.getMinutes() - date.getTimezoneOffset());
  return date.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}

const instantOf = (text: string) => (text === '' ? '' : new Date(text).toISOString());

/** When it goes: `at` or `local_at` has a time, or neither. An empty time is an error, not "now". */
export function WhenField() {
  const at = useController<Values, 'at'>({ name: 'at' });
  const local = useController<Values, 'local_at'>({ name: 'local_at' });
  const [kind, setKind] = useState<Kind>(() =>
    local.field.value != null ? 'local_at' : at.field.value != null ? 'at' : 'now',
  );
  const isLocal = kind === 'local_at';
  const { field, fieldState } = isLocal ? local : at;

  function choose({ target }: ChangeEvent<HTMLSelectElement>) {
    const next = target.value as Kind;
    setKind(next);
    at.field.onChange(next === 'at' ? '' : null);
    local.field.onChange(next === 'local_at' ? '' : null);
  }

  const set = (text: string) => field.onChange(isLocal ? text : instantOf(text));
  const message = fieldState.error && (field.value ? fieldState.error.message : 'Choose a date and a time');
  return (
    <FieldGrid templateColumns={{ base: '1fr', sm: '1fr 1fr' }}>
      <Field label="When" error={kind === 'now' ? message : undefined}>
        <Select value={kind} options={KINDS} onChange={choose} />
      </Field>
      {kind !== 'now' && (
        <Field
          label="Date and time"
          hint={
            isLocal
              ? 'In the time zone of each member. Members without one have that of the organization.'
              : `In your time zone, ${zoneLabel(ownZone())}`
          }
          error={message}
        >
          <Input
            key={kind}
            ref={field.ref}
            type="datetime-local"
            defaultValue={isLocal ? (field.value ?? '') : localTextOf(field.value ?? '')}
            onChange={({ target }) => set(target.value)}
            onBlur={field.onBlur}
          />
        </Field>
      )}
    </FieldGrid>
  );
}
