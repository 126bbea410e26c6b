import { Badge, chakra, Flex, VisuallyHidden } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { formatNumber } from '../lib/format.ts';
import { Button } from './button.tsx';
import type { MultiSelectProps } from './multi-select-content.tsx';
import { onDemand } from './on-demand.tsx';

const MultiSelectContent = onDemand(() => import('./multi-select-content.tsx'));

const Label = chakra('span', { base: { me: '1', color: 'fg.muted', fontWeight: 'normal' } });

/** A button with the chosen options, which opens a list of checkboxes. The code of the list is loaded on demand. */
export function MultiSelect(props: MultiSelectProps) {
  const { label, options, chosen, none, all, width = '300px' } = props;
  const id = useId();
  const [open, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const shown = options?.filter(({ value }) => chosen.includes(value)) ?? [];
  const summary =
    shown.length === 0 ? none : (props.summary ?? (shown.length === options?.length ? all : undefined));

  function change(next: boolean) {
    setOpen(next);
    if (next) setWasOpened(true);
  }

  return (
    <>
      <Button
        id={id}
        width={{ base: 'full', sm: width }}
        height="auto"
        minHeight="control"
        py="1"
        justifyContent="space-between"
        whiteSpace="normal"
        textAlign="start"
        // Like the icon of a select.
        _icon={{ width: '3.5', height: '3.5', color: 'fg.muted' }}
        aria-haspopup="dialog"
        aria-expanded={open}
        disabled={!options}
        onClick={() => change(!open)}
      >
        <Flex as="span" wrap="wrap" align="center" gap="1" minWidth="0">
          <Label>{label}</Label>
          {options && summary && <span>{summary}</span>}
          {!summary && (
            <SelectedBadges
              options={shown.map(({ value, label: name, badge = name }) => ({ id: value, name: badge }))}
            />
          )}
        </Flex>
        <VisuallyHidden>: choose</VisuallyHidden>
        <ChevronDown aria-hidden />
      </Button>
      {wasOpened && options && (
        <MultiSelectContent
          {...props}
          trigger={id}
          open={open}
          onOpenChange={change}
          onClose={() => {
            setOpen(false);
            setWasOpened(false);
          }}
        />
      )}
    </>
  );
}

const MOST = 3;

/** The names of the first three selected options, and the number of the others. */
export const SelectedBadges = ({ options }: { options: readonly { id: string; name: string }[] }) => (
  <>
    {options.slice(0, MOST).map(({ id, name }) => (
      <Badge key={id} whiteSpace="normal" overflowWrap="anywhere" minWidth="0">
        {name}
      </Badge>
    ))}
    {options.length > MOST && <span>+ {formatNumber(options.length - MOST)} more</span>}
  </>
);
