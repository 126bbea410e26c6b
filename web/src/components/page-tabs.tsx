import { Box, chakra } from '@chakra-ui/react';
import { Fragment, type ReactNode, useId, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { onDemand } from './on-demand.tsx';

// The shown panel does not need the code of the tabs, so the page does not wait for it.
const TabList = onDemand(
  () => import('./tab-list.tsx'),
  <Box height="calc(var(--control) + 1px)" borderBottomWidth="1px" />,
);
const Panel = chakra('div', { base: { pt: '4', _focusVisible: { outlineOffset: '4px' } } });

const PARAMETER = 'tab';

/** The chosen tab is in the URL. A panel that was shown stays mounted, with its selection and its running actions. */
export function PageTabs({ label, tabs }: { label: string; tabs: { name: string; panel: ReactNode }[] }) {
  const id = useId();
  const ids = {
    trigger: (index: number | string) => `${id}-tab-${index}`,
    content: (index: number | string) => `${id}-panel-${index}`,
  };
  const [params, setParams] = useSearchParams();
  // Keeps the state of the history entry, in which the members table has its cursor.
  const { state } = useLocation();
  const slugs = tabs.map(({ name }) => name.toLowerCase().replaceAll(' ', '-'));
  const chosen = Math.max(0, slugs.indexOf(params.get(PARAMETER) ?? ''));
  const [shown, setShown] = useState([chosen]);
  if (!shown.includes(chosen)) setShown([...shown, chosen]);

  function choose(index: number) {
    const change = (current: URLSearchParams) => {
      const next = new URLSearchParams(current);
      if (index > 0) next.set(PARAMETER, slugs[index] ?? '');
      else next.delete(PARAMETER);
      return next;
    };
    setParams(change, { replace: true, preventScrollReset: true, state });
  }

  return (
    <>
      <TabList
        ids={ids}
        label={label}
        names={tabs.map(({ name }) => name)}
        chosen={chosen}
        onChoose={choose}
      />
      {tabs.map(({ name, panel }, index) => (
        <Fragment key={name}>
          {shown.includes(index) && (
            <Panel
              role="tabpanel"
              id={ids.content(index)}
              aria-labelledby={ids.trigger(index)}
              tabIndex={0}
              hidden={index !== chosen}
            >
              {panel}
            </Panel>
          )}
        </Fragment>
      ))}
    </>
  );
}
