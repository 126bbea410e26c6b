import { Badge } from '@chakra-ui/react';
import { Ellipsis, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, ButtonLink, IconButton } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { MenuButton } from '../../components/menu.tsx';
import { Section } from '../../components/section.tsx';
import { Status } from '../../components/status.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { Tooltip } from '../../components/tooltip.tsx';
import { toast } from '../../lib/toasts.ts';
import { Row } from './row.tsx';

const THIS_PAGE = '/_local/pieces';

export function ControlPieces() {
  const [busy, setBusy] = useState(false);
  const [ticked, setTicked] = useState(true);
  return (
    <Section title="Controls">
      <Row>
        <Button variant="solid">Primary</Button>
        <Button>Plain</Button>
        <Button variant="ghost">Quiet</Button>
        <Button variant="solid" colorPalette="red">
          Danger
        </Button>
        <Button variant="solid" loading={busy} loadingText="Saving..." onClick={() => setBusy(true)}>
          Becomes busy
        </Button>
        <Button disabled>Disabled</Button>
        <ButtonLink to={THIS_PAGE}>Link as a button</ButtonLink>
        <IconButton label="Delete">
          <Trash2 aria-hidden />
        </IconButton>
      </Row>
      <Row>
        <CopyButton text="A text to copy" />
        <Tooltip text="Shown on hover and on keyboard focus.">
          <Button>Has a tooltip</Button>
        </Tooltip>
        <MenuButton
          variant="outline"
          items={[
            { id: 'rename', label: 'Rename', group: 'one', run: () => toast('Renamed.') },
            { id: 'move', label: 'Move', group: 'one', disabled: true, run: () => undefined },
            {
              id: 'delete',
              label: 'Delete',
              icon: <Trash2 aria-hidden />,
              group: 'two',
              danger: true,
              run: () => toast('Deleted.'),
            },
          ]}
        >
          <Ellipsis aria-hidden />
          Opens a menu
        </MenuButton>
        <TextLink to={THIS_PAGE}>A link</TextLink>
        <Checkbox checked={ticked} onChange={setTicked}>
          A checkbox
        </Checkbox>
      </Row>
      <Row>
        <Status tone="usual">Active</Status>
        <Status tone="off">Inactive</Status>
        <Status tone="attention">Not Tested</Status>
        <Status tone="wrong">Invalid</Status>
        <Badge>EN</Badge>
        <Badge>Locked</Badge>
      </Row>
      <Tabs
        label="Tabs"
        tabs={[
          { name: 'First', panel: 'The first panel' },
          { name: 'Second', panel: 'The second panel' },
        ]}
      />
    </Section>
  );
}
