import { expect, it } from 'vitest';
import { networkOf } from '#functions/http/viewer.ts';

it.each([
  ['192.0.2.7', '192.0.2'],
  ['2001:db8:7:1:2:3:4:5', '2001:db8:7'],
  ['2001:0db8:0007::1', '2001:db8:7'],
  ['2001:db8::1', '2001:db8:0'],
  ['2001::1:2:3:4:5:6', '2001:0:1'],
  ['::1', '0:0:0'],
  ['2001:DB8:A::', '2001:db8:a'],
])('the network of %s is %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});
