import { Popover, Text } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import type { HelpTopic } from '../lib/help.ts';
import { helpPath } from '../lib/paths.ts';
import { TextLink } from './button.tsx';
import { LandmarkPortal, POPOVER_PANEL } from './landmark-portal.tsx';

type Props = {
  /** The id of the mark that was pressed. */
  trigger: string;
  word: string;
  text: string;
  more: HelpTopic;
  onClose: () => void;
};

/** What a word means, and a link to the section of the help that has more. */
export default function HelpContent({ trigger, word, text, more, onClose }: Props) {
  const link = useRef<HTMLAnchorElement>(null);
  const mark = () => document.getElementById(trigger);

  // Chakra's popover moves the focus only if it is opened and closed while it is mounted.
  useEffect(() => link.current?.focus({ preventScroll: true }), []);
  function close() {
    onClose();
    mark()?.focus();
  }

  return (
    <Popover.Root
      open
      ids={{ trigger }}
      onOpenChange={({ open }) => !open && close()}
      positioning={{ placement: 'bottom-start', gutter: 4, strategy: 'fixed' }}
    >
      <LandmarkPortal of={mark()}>
        <Popover.Positioner>
          <Popover.Content aria-label={word} {...POPOVER_PANEL} width="min(320px, 100vw - 16px)">
            <Text mb="2">{text}</Text>
            <TextLink ref={link} to={helpPath(more)} onClick={onClose}>
              More in the help
            </TextLink>
          </Popover.Content>
        </Popover.Positioner>
      </LandmarkPortal>
    </Popover.Root>
  );
}
