import { Box, Flex, type FlexProps } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { ToneIcon } from './notice.tsx';

type Props = Omit<FlexProps, 'wrap' | 'align'> & {
  error?: ReactNode;
  /** A request is running: a dialog around it cannot be closed. */
  'data-saving'?: boolean | undefined;
  /** Shown in place of an error. */
  note?: ReactNode;
  children: ReactNode;
};

/** As much room above as beside the buttons. An error goes before or below them, so that they do not move. */
export const Actions = ({ error, note, children, ...place }: Props) => (
  <Flex wrap="wrap-reverse" align="flex-end" justify="flex-end" columnGap="4" rowGap="22px" mt="4" {...place}>
    {(error || note) && (
      <Flex
        role={error ? 'alert' : 'status'}
        flex="1 1 160px"
        gap="2"
        alignSelf="center"
        // Three lines of an error take no more height than a button with the room above and below it.
        my="-3.5"
        fontSize={error ? 'sm' : 'xs'}
        lineHeight="20px"
        color={error ? 'fg.error' : 'fg.muted'}
        overflowWrap="anywhere"
        _icon={{ width: '4', height: '5', flexShrink: 0 }}
      >
        {error && <ToneIcon tone="error" />}
        <Box minWidth="0">{error || note}</Box>
      </Flex>
    )}
    <Flex wrap="wrap" justify="flex-end" gap="2">
      {children}
    </Flex>
  </Flex>
);

type Draft = {
  error: string | undefined;
  isRunning: boolean;
  disabled: boolean;
  saveText?: string | undefined;
  /** Returns true if it was saved, which closes the editor of the draft. */
  save: () => Promise<boolean>;
  onClose: () => void;
};

/** Cancels or saves a draft that is not a form. */
export const DraftActions = ({ error, isRunning, disabled, saveText = 'Save', save, onClose }: Draft) => (
  <Actions error={error} data-saving={isRunning || undefined}>
    <Button loading={isRunning} onClick={onClose}>
      Cancel
    </Button>
    <Button
      variant="solid"
      loading={isRunning}
      loadingText="Saving..."
      disabled={disabled}
      onClick={async () => {
        if (await save()) onClose();
      }}
    >
      {saveText}
    </Button>
  </Actions>
);
