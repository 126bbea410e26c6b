import { chakra } from '@chakra-ui/react';
import { CircleHelp } from 'lucide-react';
import { useId, useState } from 'react';
import type { Explained } from '../lib/help.ts';
import { onDemand } from './on-demand.tsx';
import { Tooltip } from './tooltip.tsx';

const HelpContent = onDemand(() => import('./help-content.tsx'));

const HelpMark = chakra('button', {
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

type HelpProps = {
  word: string;
  /** What the word means; undefined if it needs no explanation. */
  children: Explained | undefined;
};

/** A word with an explanation: on hover, on focus, and when the mark beside it is pressed, then with a link to the help. */
export const WithHelpTip = ({ word, children }: HelpProps) => (
  <>
    {word}
    <HelpTip word={word}>{children}</HelpTip>
  </>
);

/** The mark alone, for use beside an element that must not contain it, such as a label. */
export function HelpTip({ word, children }: HelpProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  if (!children) return null;
  const [text, more] = typeof children === 'string' ? [children] : children;
  return (
    <>
      <Tooltip text={text} names onPress={!more}>
        <HelpMark
          type="button"
          data-explains
          aria-label={`${word}: ${text}`}
          {...(more && {
            id,
            'aria-haspopup': 'dialog',
            'aria-expanded': open,
            onClick: () => setOpen(!open),
          })}
        >
          <CircleHelp aria-hidden />
        </HelpMark>
      </Tooltip>
      {open && more && (
        <HelpContent trigger={id} word={word} text={text} more={more} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
