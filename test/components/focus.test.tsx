import { useState } from 'react';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { MenuButton } from '#web/components/menu.tsx';
import { Page } from '#web/components/page.tsx';
import { list } from '../support/components/examples.ts';
import { fakeMembers, people } from '../support/components/members.ts';
import { button, dialog, focus, heading, highlighted, keys, menuItem } from '../support/components/page.ts';
import { mount, open } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

const answers = { ...fakeMembers(people(1)).answers, 'GET /api/email-lists': [list] };

proof('the focus goes to the heading after going back, also to the page that was opened first', async () => {
  const { router } = open('/email-lists', answers);
  await page.getByRole('grid').getByRole('link', { name: list.name }).click();
  await expect.element(heading(list.name)).toBeVisible();
  await focus(button('Columns'));
  await keys('{Enter}');
  await expect.element(dialog().getByText(/^No metadata yet\./)).toBeVisible();
  await router.navigate(-1);
  await expect.element(page.getByRole('heading', { name: 'Email Lists', level: 1 })).toHaveFocus();
});

it('the focus stays where it is on the page that is opened first', async () => {
  open('/email-lists/l1', answers);
  await expect.element(heading(list.name)).toBeVisible();
  expect(document.activeElement).toBe(document.body);
});

it('a page that takes the place of the one that was loading leaves the focus where it was moved meanwhile', async () => {
  let arrive = () => {};
  function Arriving() {
    const [title, setTitle] = useState('Loading');
    arrive = () => setTitle('Loaded');
    return (
      <>
        <button type="button">Menu</button>
        <main>
          <Page key={title} title={title}>
            A text
          </Page>
        </main>
      </>
    );
  }
  const router = mount([{ path: '*', element: <Arriving /> }, { path: '/before' }], '/before');
  await router.navigate('/');
  await expect.element(heading('Loading')).toHaveFocus();
  await focus(button('Menu'));
  arrive();
  await expect.poll(() => document.title).toBe('Loaded - Letterflow');
  await expect.element(button('Menu')).toHaveFocus();
});

it('a page that arrives after a menu was opened leaves the focus to the menu', async () => {
  let arrive = () => {};
  function Arriving() {
    const [hasArrived, setArrived] = useState(false);
    arrive = () => setArrived(true);
    return <main>{hasArrived && <Page title="Late">A text</Page>}</main>;
  }
  const items = [
    { id: 'first', label: 'First' },
    { id: 'second', label: 'Second' },
  ];
  const element = (
    <>
      <nav>
        <MenuButton items={items}>Choose</MenuButton>
      </nav>
      <Arriving />
    </>
  );
  const router = mount([{ path: '*', element }], '/');
  await router.navigate('/elsewhere');
  await focus(button('Choose'));
  await keys('{Enter}');
  await highlighted().toBe('First');
  arrive();
  await expect.element(heading('Late')).toBeVisible();
  await keys('{ArrowDown}');
  await highlighted().toBe('Second');
  await expect.element(menuItem('Second')).toBeVisible();
});
