import { Field as ChakraField, chakra, Flex, Grid } from '@chakra-ui/react';
import type { ComponentProps, KeyboardEvent, ReactNode } from 'react';
import type { Explained } from '../lib/help.ts';
import { HelpTip } from './help-tip.tsx';

// Hint and error share one place with a fixed height, as an error must not move what is below it. A hint is nearer to its
// field than to the next one.
const Below = chakra('div', {
  base: {
    display: 'grid',
    mt: '1',
    minHeight: '24px',
    lineHeight: '20px',
    overflowWrap: 'anywhere',
    '& > *': { gridArea: '1 / 1', minWidth: 0 },
    // Lets clicks through to a hint with buttons.
    '& > [role=alert]:empty': { pointerEvents: 'none' },
  },
});

type Props = {
  label: string;
  explained?: Explained | undefined;
  hint?: ReactNode;
  error?: string | undefined;
  /** Shown in place of the hint if the value may be a mistake. An error is shown instead of it. */
  warning?: string | undefined;
  disabled?: boolean;
  aside?: ReactNode;
  /** The control: Chakra connects it to label, hint and error. */
  children: ReactNode;
};

export const Field = ({ label, explained, hint, error, warning, disabled, aside, children }: Props) => (
  <ChakraField.Root invalid={error !== undefined} disabled={disabled}>
    <Flex wrap="wrap" justify="space-between" align="center" mb="1">
      <Flex minWidth="0">
        <ChakraField.Label>{label}</ChakraField.Label>
        <HelpTip word={label}>{explained}</HelpTip>
      </Flex>
      {aside}
    </Flex>
    {children}
    <Below>
      {(warning ?? hint) && (
        <ChakraField.HelperText
          visibility={error ? 'hidden' : undefined}
          color={warning === undefined ? undefined : 'fg.warning'}
        >
          {warning ?? hint}
        </ChakraField.HelperText>
      )}
      <div role="alert">
        <ChakraField.ErrorText>{error}</ChakraField.ErrorText>
      </div>
    </Below>
  </ChakraField.Root>
);

/** Fields side by side, without the margin of those below each other. */
export const FieldGrid = (props: ComponentProps<typeof Grid>) => (
  <Grid columnGap="4" rowGap="4" css={{ '& > [data-part=root]': { mt: '0' } }} {...props} />
);

/** Prevents that Enter submits the form around an input that is not one of its fields. */
export function withoutSubmit(event: KeyboardEvent) {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
}
