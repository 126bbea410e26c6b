import { Box, chakra } from '@chakra-ui/react';
import { Fragment, type ReactNode, useId, useState } from 'react';
import { onDemand } from './on-demand.tsx';
import { useParameter } from './use-dialog.ts';

// The shown panel does not need the code of the tabs, so the page does not wait for it.
const TabList = onDemand(
  () => import('./tab-list.tsx'),
  <Box height="calc(var(--control) + 1px)" borderBottomWidth="1px" />,
);
const Panel = chakra('div', { base: { pt: '4', _focusVisible: { outlineOffset: '4px' } } });

/** The chosen tab is in the URL. A panel that was shown stays mounted, with its selection and its running actions. */
export function PageTabs({ label, tabs }: { label: string; tabs: { name: string; panel: ReactNode }[] }) {
  const id = useId();
  const ids = {
    trigger: (index: number | string) => `${id}-tab-${index}`,
    content: (index: number | string) => `${id}-panel-${index}`,
  };
  const [slug, setSlug] = useParameter('tab');
  const slugs = tabs.map(({ name }) => name.toLowerCase().replaceAll(' ', '-'));
  const chosen = Math.max(0, slugs.indexOf(slug ?? ''));
  const [shown, setShown] = useState([chosen]);
  if (!shown.includes(chosen)) setShown([...shown, chosen]);

  return (
    <>
      <TabList
        ids={ids}
        label={label}
        names={tabs.map(({ name }) => name)}
        chosen={chosen}
        onChoose={index => setSlug(index > 0 ? slugs[index] : undefined)}
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
