import { beside } from './scratch-database.js';

describe('the address of the scratch database', () => {
  it.each([
    ['mongodb://db:27017', 'mongodb://db:27017/x'],
    ['mongodb://db:27017/', 'mongodb://db:27017/x'],
    ['mongodb://db:27017/pillwatch?replicaSet=rs0', 'mongodb://db:27017/x?replicaSet=rs0'],
    ['mongodb://a:1,b:2/pillwatch?w=1&ssl=true', 'mongodb://a:1,b:2/x?w=1&ssl=true'],
    ['mongodb+srv://u:p@db.example/pillwatch', 'mongodb+srv://u:p@db.example/x?authSource=pillwatch'],
    ['mongodb://u:p@db/pillwatch?authSource=admin', 'mongodb://u:p@db/x?authSource=admin'],
    ['mongodb://u:p@db/?tls=true', 'mongodb://u:p@db/x?tls=true'],
  ])('%s becomes %s', (uri, expected) => expect(beside(uri, 'x')).toBe(expected));
});
