import { NativeSelect } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';

type Props = ComponentProps<typeof NativeSelect.Field> & {
  /** The options, instead of children. */
  options?: readonly { value: string; label: string; disabled?: boolean }[];
};

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
