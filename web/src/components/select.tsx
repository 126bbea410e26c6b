import { NativeSelect } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';

/** The browser's own select: on a phone it is the best one, and it needs no code. */
export const Select = ({ width, ...rest }: ComponentProps<typeof NativeSelect.Field>) => (
  <NativeSelect.Root {...(width && { width })}>
    <NativeSelect.Field {...rest} />
    <NativeSelect.Indicator>
      <ChevronDown aria-hidden />
    </NativeSelect.Indicator>
  </NativeSelect.Root>
);
