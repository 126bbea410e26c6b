import { NativeSelect } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';

type Props = ComponentProps<typeof NativeSelect.Field> & {
  /** The options, instead of children. */
  options?: readonly { value: string; label: string; disabled?: boolean }[];
};

export const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** Things to choose from by their names, after a first option without one. What is chosen may be deleted. */
export const namedOptions = (
  things: readonly { id: string; name: string }[] = [],
  { chosen, none, deleted }: { chosen: string; none: string; deleted: string },
) => [
  { value: '', label: none },
  ...(chosen && !things.some(({ id }) => id === chosen) ? [{ value: chosen, label: deleted }] : []),
  ...things.map(({ id, name }) => ({ value: id, label: name })),
];

/** The native select: on a phone it is the best one, and it needs no code. */
export const Select = ({ width, options, children, ...rest }: Props) => (
  <NativeSelect.Root {...(width && { width })}>
    <NativeSelect.Field {...rest}>
      {options?.map(({ value, label, disabled }) => (
        <option key={value} value={value} disabled={disabled}>
          {label}
        </option>
      )) ?? children}
    </NativeSelect.Field>
    <NativeSelect.Indicator>
      <ChevronDown aria-hidden />
    </NativeSelect.Indicator>
  </NativeSelect.Root>
);
