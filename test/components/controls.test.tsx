import { useState } from 'react';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { Button } from '#web/components/button.tsx';
import { CopyButton } from '#web/components/copy-button.tsx';
import { MultiSelect } from '#web/components/multi-select.tsx';
import { Tooltip } from '#web/components/tooltip.tsx';
import { button, checkbox, isGone, keys, press, says, shows, textsOf } from '../support/components/page.ts';
import { render } from '../support/components/render.tsx';

function BecomesBusy() {
  const [busy, setBusy] = useState(false);
  return (
    <Button loading={busy} loadingText="Saving..." onClick={() => setBusy(true)}>
      Save
    </Button>
  );
}

it('a button keeps its width and the focus while its action runs', async () => {
  render(<BecomesBusy />);
  await expect.element(button('Save')).toBeVisible();
  const { width } = button('Save').element().getBoundingClientRect();
  await press('Save');
  const busy = button('Saving...');
  await expect.element(busy).toHaveAttribute('aria-disabled', 'true');
  await expect.element(busy).toHaveFocus();
  expect(busy.element().getBoundingClientRect().width).toBe(width);
});

const tip = page.getByRole('tooltip');
const showTarget = async () => {
  render(
    <Tooltip text="Sends nothing.">
      <Button>Preview</Button>
    </Tooltip>,
  );
  await expect.element(button('Preview')).toBeVisible();
};

it('a tooltip shows on focus, describes its button, stays when the pointer leaves, and goes with Escape', async () => {
  await showTarget();
  await button('Preview').hover();
  await keys('{Tab}');
  await expect.element(tip).toBeVisible();
  await expect.element(button('Preview')).toHaveAttribute('aria-describedby', tip.element().id);
  await button('Preview').unhover();
  await expect.element(tip).toBeVisible();
  await keys('{Escape}');
  await isGone(tip);
});

it('a tooltip shows on hover, lets the pointer through, and goes with it', async () => {
  await showTarget();
  await button('Preview').hover();
  await expect.element(tip).toBeVisible();
  const { left, top } = tip.element().getBoundingClientRect();
  expect(document.elementFromPoint(left + 4, top + 4)?.closest('[data-scope=tooltip]')).toBeNull();
  await button('Preview').unhover();
  await isGone(tip);
});

it('a copy button copies and says so', async () => {
  render(<CopyButton text="A text to copy" />);
  await press('Copy');
  await expect.element(button('Copied')).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe('A text to copy');
});

it('a list of checkboxes says how many can be chosen, once they are', async () => {
  const options = ['Ada', 'Ben'].map(label => ({ value: label, label }));
  const chosen = { chosen: ['Ada'], onChoose: () => undefined, max: 1 };
  render(<MultiSelect label="Names" options={options} none="Nobody" {...chosen} />);
  await page.getByRole('button', { name: /^Names/ }).click();
  await says('At most 1 can be chosen.');
  await expect.element(page.getByRole('checkbox', { name: 'Ben' })).toBeDisabled();
});

const NAMES = Array.from({ length: 12 }, (_, index) => `Name ${index + 1}`);

function NamesChoice({ count, max }: { count: number; max?: number }) {
  const [chosen, setChosen] = useState<string[]>([]);
  return (
    <MultiSelect
      label="Names"
      options={NAMES.slice(0, count).map(name => ({ value: name, label: name }))}
      chosen={chosen}
      onChoose={setChosen}
      none="Nobody"
      all="Everybody"
      {...(max !== undefined && { max })}
    />
  );
}
const opener = () => page.getByRole('button', { name: /^Names/ });
const search = () => page.getByRole('searchbox', { name: 'Search names' });

it('of twelve checkboxes or more, those that a search finds are chosen at once, and all are taken back', async () => {
  render(<NamesChoice count={12} />);
  await expect.element(opener()).toHaveTextContent('NamesNobody: choose');
  await opener().click();
  await expect.element(button('Deselect All')).toBeDisabled();
  await search().fill(' zzz ');
  await says('Nothing matches “zzz”.');
  await search().fill(' NAME 1 ');
  await press('Select All');
  await expect.element(opener()).toHaveTextContent('NamesName 1Name 10Name 11+ 1 more: choose');
  await expect.element(button('Select All').first()).toBeDisabled();
  await search().fill('');
  await checkbox('Name 10').click();
  await expect.element(opener()).toHaveTextContent('NamesName 1Name 11Name 12: choose');
  await button('Select All').first().click();
  await expect.element(opener()).toHaveTextContent('NamesEverybody: choose');
  await press('Deselect All');
  await expect.element(opener()).toHaveTextContent('NamesNobody: choose');
});

it('fewer than twelve checkboxes have no search, and are not all chosen where fewer can be', async () => {
  render(<NamesChoice count={11} max={10} />);
  await opener().click();
  await shows(checkbox('Name 11'));
  await isGone(search());
  await expect.element(button('Select All').first()).toBeDisabled();
  expect(textsOf('fieldset label')).toHaveLength(11);
});

it('a list of checkboxes cannot be opened while it loads, and says that it is empty', async () => {
  const chosen = { label: 'Names', chosen: [], onChoose: () => undefined, none: 'Nobody' };
  render(<MultiSelect {...chosen} options={undefined} />);
  await expect.element(opener()).toBeDisabled();
  await isGone(page.getByText('Nobody'));
  render(<MultiSelect {...chosen} options={[]} />);
  await opener().click();
  await says('No names available.');
});
