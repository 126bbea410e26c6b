import { Tabs as ChakraTabs } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useLocation, useSearchParams } from 'react-router';

type Props = { label: string; tabs: { name: string; panel: ReactNode }[] };

/** Shows one panel at a time. */
export const Tabs = (props: Props) => <TabsAndPanels {...props} defaultValue="0" unmountOnExit />;

const PARAMETER = 'tab';

/**
 * The parts of a page. The chosen one is in the URL, the first one without a parameter. A panel that was shown stays,
 * with its selection and what runs in it.
 */
export function PageTabs(props: Props) {
  const [params, setParams] = useSearchParams();
  // Kept: the members table has its cursor in the state of the history entry.
  const { state } = useLocation();
  const ids = props.tabs.map(({ name }) => idOf(name));
  const chosen = Math.max(0, ids.indexOf(params.get(PARAMETER) ?? ''));

  function choose(index: number) {
    const change = (current: URLSearchParams) => {
      const next = new URLSearchParams(current);
      if (index > 0) next.set(PARAMETER, ids[index] ?? '');
      else next.delete(PARAMETER);
      return next;
    };
    setParams(change, { replace: true, preventScrollReset: true, state });
  }

  return (
    <TabsAndPanels
      {...props}
      value={String(chosen)}
      onValueChange={({ value }) => choose(Number(value))}
      room="4"
    />
  );
}

const idOf = (name: string) => name.toLowerCase().replaceAll(' ', '-');

type RootProps = Omit<ChakraTabs.RootProps, 'children'> & Props & { room?: string };

/** The numbers of the tabs are parts of ids, which could not have the spaces of names. */
const TabsAndPanels = ({ label, tabs, room, ...root }: RootProps) => (
  <ChakraTabs.Root {...root} lazyMount>
    <ChakraTabs.List aria-label={label}>
      {tabs.map(({ name }, index) => (
        <ChakraTabs.Trigger key={name} value={String(index)}>
          {name}
        </ChakraTabs.Trigger>
      ))}
    </ChakraTabs.List>
    {tabs.map(({ name, panel }, index) => (
      <ChakraTabs.Content key={name} value={String(index)} pt={room}>
        {panel}
      </ChakraTabs.Content>
    ))}
  </ChakraTabs.Root>
);
