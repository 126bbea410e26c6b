import { chakra, Flex } from '@chakra-ui/react';
import { CopyButton } from './copy-button.tsx';

const Code = chakra('code', {
  base: {
    flex: '1 1 240px',
    minWidth: 0,
    px: '2.5',
    py: '1.5',
    borderWidth: '1px',
    borderRadius: 'md',
    bg: 'bg.subtle',
    fontSize: 'xs',
    lineHeight: '18px',
    overflowWrap: 'anywhere',
  },
});

type Props = {
  text: string | undefined;
  /** What the button copies, for its label. */
  label: string;
  minHeight?: Parameters<typeof Code>[0]['minHeight'];
};

/** A text to enter elsewhere, with a button that copies it. */
export const CopiedText = ({ text, label, minHeight = 'control' }: Props) => (
  <Flex wrap="wrap" gap="2">
    <Code minHeight={minHeight}>{text ?? '\u00a0'}</Code>
    <CopyButton text={text} label={label} />
  </Flex>
);
