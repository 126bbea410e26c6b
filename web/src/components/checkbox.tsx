import { Checkbox as ChakraCheckbox } from '@chakra-ui/react';
import type { ComponentProps, ReactNode } from 'react';

type Props = Pick<ComponentProps<'input'>, 'name' | 'onBlur' | 'ref'> & {
  checked: boolean;
  invalid?: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
};

export const Checkbox = ({ checked, invalid = false, onChange, children, ...input }: Props) => (
  <ChakraCheckbox.Root
    checked={checked}
    invalid={invalid}
    onCheckedChange={details => onChange(details.checked === true)}
  >
    <ChakraCheckbox.HiddenInput {...input} />
    <ChakraCheckbox.Control />
    <ChakraCheckbox.Label>{children}</ChakraCheckbox.Label>
  </ChakraCheckbox.Root>
);
