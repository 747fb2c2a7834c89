using System.Collections.Generic;

namespace Depot
{
    public sealed class Shelf
    {
        private readonly List<string> boxes = new List<string>();

        public int Count => boxes.Count;

        public void Add(string box)
        {
            boxes.Add(box);
        }

        public bool Take(string box)
        {
            return boxes.Remove(box);
        }
    }
}
