import { chakra, Input, Textarea } from '@chakra-ui/react';
import { type ComponentProps, type ComponentType, useContext, useEffect } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { formatNumber } from '../lib/format.ts';
import { Field } from './field.tsx';
import { FieldWarnings } from './field-warnings.ts';
import { Select } from './select.tsx';

type FieldProps = Pick<ComponentProps<typeof Field>, 'label' | 'explained' | 'hint' | 'aside'> & {
  name: string;
  /** The maximum length of the schema. A counter appears before it is reached. */
  longest?: number;
};

/** A control of the form with label, hint and error. Without autofill, as most values are not about the user. */
const fieldWith =
  <Props extends object>(Control: ComponentType<Props>) =>
  ({ name, label, explained, hint, aside, longest, ...rest }: FieldProps & Props) => {
    const { register, getFieldState, formState } = useFormContext();
    const warnings = useContext(FieldWarnings)[name];
    const count = longest === undefined ? undefined : <Count name={name} longest={longest} />;
    return (
      <Field
        label={label}
        explained={explained}
        hint={hint}
        error={getFieldState(name, formState).error?.message}
        warning={warnings?.join(' ')}
        aside={aside ?? count}
      >
        <Control {...({ autoComplete: 'off', ...register(name), ...rest } as unknown as Props)} />
      </Field>
    );
  };

const Characters = chakra('span', { base: { fontSize: 'xs', lineHeight: '20px', color: 'fg.muted' } });
const COUNTED_FROM = 0.8;

/** The length of an input that nears its limit. An error is shown while typing if it is too long. */
function Count({ name, longest }: { name: string; longest: number }) {
  const { trigger } = useFormContext();
  const length = String(useWatch({ name }) ?? '').length;
  const isTooLong = length > longest;

  useEffect(() => {
    if (!isTooLong) return;
    void trigger(name);
    return () => void trigger(name);
  }, [isTooLong, name, trigger]);

  if (length < COUNTED_FROM * longest) return null;
  return (
    <Characters>
      {formatNumber(length)} of {formatNumber(longest)} characters
    </Characters>
  );
}

export const TextField = fieldWith<ComponentProps<typeof Input>>(Input);
export const TextareaField = fieldWith<ComponentProps<typeof Textarea>>(Textarea);
export const SelectField = fieldWith<ComponentProps<typeof Select>>(Select);
