import { Checkbox as ChakraCheckbox } from '@chakra-ui/react';
import type { ComponentProps, ReactNode } from 'react';

type Props = Pick<ComponentProps<'input'>, 'name' | 'onBlur' | 'ref' | 'aria-describedby'> & {
  checked: boolean;
  invalid?: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
};

/** The native input covers the whole checkbox, so that touch and screen readers find it there. */
const COVER = {
  clip: 'auto',
  width: '100%',
  height: '100%',
  inset: 0,
  margin: 0,
  opacity: 0,
  cursor: 'pointer',
} as const;

export const Checkbox = ({ checked, invalid, disabled, onChange, children, ...input }: Props) => (
  <ChakraCheckbox.Root
    checked={checked}
    invalid={invalid}
    disabled={disabled}
    onCheckedChange={details => onChange(details.checked === true)}
  >
    <ChakraCheckbox.HiddenInput {...input} style={COVER} />
    <ChakraCheckbox.Control />
    <ChakraCheckbox.Label>{children}</ChakraCheckbox.Label>
  </ChakraCheckbox.Root>
);
