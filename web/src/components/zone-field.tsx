import { Input, NativeSelect, useFieldContext } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, type Ref, useState } from 'react';
import { useController } from 'react-hook-form';
import { zoneLabel } from '../lib/zones.ts';
import { Field } from './field.tsx';
import { onDemand } from './on-demand.tsx';

const ZoneSearch = onDemand(() => import('./zone-search.tsx'));

type Props = {
  name: string;
  label: string;
  hint?: ReactNode;
  aside?: ReactNode;
  disabled?: boolean;
  /** The label of the choice without a time zone, if that is allowed. */
  none?: string;
};

export function ZoneField({ name, label, hint, aside, disabled = false, none }: Props) {
  const { field, fieldState } = useController({ name });
  const [searching, setSearching] = useState(false);
  const zone = field.value as string | null;
  return (
    <Field label={label} hint={hint} aside={aside} error={fieldState.error?.message} disabled={disabled}>
      <Opener inputRef={field.ref} onOpen={() => setSearching(true)}>
        {zone === null ? none : zoneLabel(zone)}
      </Opener>
      {searching && <ZoneSearch none={none} onChoose={field.onChange} onClose={() => setSearching(false)} />}
    </Field>
  );
}

type OpenerProps = { inputRef: Ref<HTMLButtonElement>; onOpen: () => void; children: ReactNode };

/** A button that looks like a select. Its accessible name consists of label and value. */
function Opener({ inputRef, onOpen, children }: OpenerProps) {
  const { ids, getInputProps } = useFieldContext();
  const { id, disabled, 'aria-describedby': describedBy } = getInputProps();
  return (
    <NativeSelect.Root>
      <Input asChild pe="7" textAlign="start" truncate>
        <button
          ref={inputRef}
          type="button"
          id={id}
          disabled={disabled}
          aria-labelledby={`${ids.label} ${id}`}
          aria-describedby={describedBy}
          aria-haspopup="dialog"
          onClick={onOpen}
        >
          {children}
        </button>
      </Input>
      <NativeSelect.Indicator>
        <ChevronDown aria-hidden />
      </NativeSelect.Indicator>
    </NativeSelect.Root>
  );
}
