import { chakra } from '@chakra-ui/react';
import { CircleHelp } from 'lucide-react';
import { Tooltip } from './tooltip.tsx';

const Mark = chakra('button', {
  base: {
    display: 'inline-grid',
    placeItems: 'center',
    // The target has at least 24 pixels, but the line only 20.
    width: '24px',
    height: '24px',
    my: '-2px',
    '@media (pointer: coarse)': { height: 'control', my: 'calc((20px - var(--control)) / 2)' },
    verticalAlign: 'top',
    borderRadius: 'full',
    color: 'fg.muted',
    _hover: { color: 'fg' },
    _icon: { width: '3.5', height: '3.5' },
  },
});

type Props = {
  word: string;
  /** What the word means; undefined if it needs no explanation. */
  children: string | undefined;
};

/** A word with an explanation: on hover, on focus, and when the mark beside it is pressed. */
export const WithHelpTip = ({ word, children }: Props) => (
  <>
    {word}
    <HelpTip word={word}>{children}</HelpTip>
  </>
);

/** The mark alone, for use beside an element that must not contain it, such as a label. */
export const HelpTip = ({ word, children }: Props) =>
  children && (
    <Tooltip text={children} names onPress>
      <Mark type="button" data-explains aria-label={`${word}: ${children}`}>
        <CircleHelp aria-hidden />
      </Mark>
    </Tooltip>
  );
